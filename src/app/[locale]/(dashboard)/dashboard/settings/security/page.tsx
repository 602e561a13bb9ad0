import { FactorSection, PasskeysSection } from '@/features/users/security/factor-panels.tsx'
import { FileAccessSection } from '@/features/users/security/file-access-panels.tsx'
import { EmailPanel } from '@/features/users/settings/email-panel.tsx'
import { PasswordPanel } from '@/features/users/settings/password-panel.tsx'
import { SessionsPanel } from '@/features/users/settings/sessions-panel.tsx'
import { SettingsPage, SettingsPart } from '@/features/users/settings/settings-page.tsx'
import { settingsPage } from '../settings-page.tsx'

const page = settingsPage('security', () => (
  <SettingsPage tab="security">
    <SettingsPart id="password">
      <PasswordPanel />
    </SettingsPart>
    <SettingsPart id="email">
      <EmailPanel />
    </SettingsPart>
    <SettingsPart id="factor">
      <FactorSection />
    </SettingsPart>
    <SettingsPart id="passkeys">
      <PasskeysSection />
    </SettingsPart>
    <SettingsPart id="sftp">
      <FileAccessSection />
    </SettingsPart>
    <SettingsPart id="sessions">
      <SessionsPanel />
    </SettingsPart>
  </SettingsPage>
))

export const { generateMetadata } = page
export default page.Page
