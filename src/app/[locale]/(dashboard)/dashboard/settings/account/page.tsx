import { DeletionPanel } from '@/features/users/settings/deletion-panel.tsx'
import { ExportPanel } from '@/features/users/settings/export-panel.tsx'
import { SettingsPage, SettingsPart } from '@/features/users/settings/settings-page.tsx'
import { settingsPage } from '../settings-page.tsx'

const page = settingsPage('account', () => (
  <SettingsPage tab="account">
    <SettingsPart id="export">
      <ExportPanel />
    </SettingsPart>
    <SettingsPart id="deletion">
      <DeletionPanel />
    </SettingsPart>
  </SettingsPage>
))

export const { generateMetadata } = page
export default page.Page
