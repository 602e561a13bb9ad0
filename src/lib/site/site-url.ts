import { SettingsInvalid, siteSettings } from './env.ts'

/** Whether this process has the site's settings. A build may run without them, and so without a database. */
export const hasSettings = (): boolean => {
  try {
    siteSettings()
    return true
  } catch (error) {
    if (error instanceof SettingsInvalid) return false
    throw error
  }
}

/** The site's own origin without a trailing slash, for canonical addresses and the site map. */
export const siteUrl = (): string => (hasSettings() ? siteSettings().siteUrl : 'http://127.0.0.1:3000')
