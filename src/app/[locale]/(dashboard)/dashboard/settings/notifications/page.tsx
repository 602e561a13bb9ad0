import { NotificationsPanel } from '@/features/users/settings/notifications-panel.tsx'
import { SettingsPage, SettingsPart } from '@/features/users/settings/settings-page.tsx'
import { settingsPage } from '../settings-page.tsx'

const page = settingsPage('notifications', () => (
  <SettingsPage tab="notifications">
    <SettingsPart id="notifications">
      <NotificationsPanel />
    </SettingsPart>
  </SettingsPage>
))

export const { generateMetadata } = page
export default page.Page
