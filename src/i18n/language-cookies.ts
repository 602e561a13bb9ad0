import { localeCookie } from './locales.ts'
import type { Locale } from './locales.ts'

/** The cookie of Payload's admin for the language of its own texts. */
const ADMIN_COOKIE = 'payload-lng'

/**
 * The cookies that store a chosen language for 365 days: the site's and the admin's. The format suits Set-Cookie
 * headers and `document.cookie` alike.
 */
export const languageCookies = (locale: Locale, isSecure: boolean): string[] =>
  [localeCookie.name, ADMIN_COOKIE].map(
    (name) =>
      `${name}=${locale}; Path=/; Max-Age=${localeCookie.maxAgeSeconds}; SameSite=Lax${isSecure ? '; Secure' : ''}`,
  )
