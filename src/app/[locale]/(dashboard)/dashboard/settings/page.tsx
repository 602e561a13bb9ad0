import { DataPanel } from '@/features/users/settings/data-panel.tsx'
import { DiscordPanel } from '@/features/users/settings/discord-panel.tsx'
import { PicturePanel } from '@/features/users/settings/picture-panel.tsx'
import { RegionPanel } from '@/features/users/settings/region-panel.tsx'
import { SettingsPage, SettingsPart } from '@/features/users/settings/settings-page.tsx'
import { settingsPage } from './settings-page.tsx'

const page = settingsPage('profile', () => (
  <SettingsPage tab="profile">
    <SettingsPart id="profile">
      <PicturePanel />
    </SettingsPart>
    <SettingsPart id="data">
      <DataPanel />
    </SettingsPart>
    <SettingsPart id="region">
      <RegionPanel />
    </SettingsPart>
    <SettingsPart id="discord">
      <DiscordPanel />
    </SettingsPart>
  </SettingsPage>
))

export const { generateMetadata } = page
export default page.Page
