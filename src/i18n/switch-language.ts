import { languageCookies } from './language-cookies.ts'
import type { Locale } from './locales.ts'
import { switchedPath } from './negotiate.ts'

/** Forms listen for this event: they store their input until they are shown again in the other language. */
export const LANGUAGE_CHOICE = 'languagechoice'

/**
 * Stores a language in this browser, for the site and the admin, and shows the same page in it: at `address`, if the page has one of
 * its own in that language.
 */
export const switchLanguage = (locale: Locale, address?: string): void => {
  for (const cookie of languageCookies(locale, window.location.protocol === 'https:')) document.cookie = cookie
  document.dispatchEvent(new CustomEvent(LANGUAGE_CHOICE))
  const { pathname, search, hash } = window.location
  if (address !== undefined) return window.location.assign(address)
  const target = switchedPath(pathname, locale)
  if (target === pathname) window.location.reload()
  else window.location.assign(`${target}${search}${hash}`)
}
