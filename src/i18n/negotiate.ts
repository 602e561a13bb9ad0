import { fallbackLocale, isLocale } from './locales.ts'
import type { Locale } from './locales.ts'

/**
 * Chooses the language of an unprefixed page: the language cookie, else the first two letters of the browser's first
 * language, else English (specification section 5).
 */
export const negotiate = (
  cookie: string | null | undefined,
  acceptLanguage: string | readonly string[] | null | undefined,
): Locale => {
  if (isLocale(cookie)) return cookie
  const header = typeof acceptLanguage === 'string' ? acceptLanguage : acceptLanguage?.[0]
  const first = header?.trim().slice(0, 2).toLowerCase()
  return isLocale(first) ? first : fallbackLocale
}

/** Splits `/hu/blog` into `{ locale: 'hu', path: '/blog' }`; an unprefixed path has no locale. */
export const splitLocale = (pathname: string): { locale: Locale | null; path: string } => {
  const [, first = '', ...rest] = pathname.split('/')
  return isLocale(first) ? { locale: first, path: `/${rest.join('/')}` } : { locale: null, path: pathname }
}

/** The address of `path` under a language prefix, without a trailing slash: `('hu', '/')` is `/hu`. */
export const localePath = (locale: Locale, path: string): string => (path === '/' ? `/${locale}` : `/${locale}${path}`)

/**
 * The same page in another language. A prefixed address changes its prefix; an unprefixed one stays, because there the
 * cookie decides.
 */
export const switchedPath = (pathname: string, locale: Locale): string => {
  const current = splitLocale(pathname)
  return current.locale === null ? pathname : localePath(locale, current.path)
}
