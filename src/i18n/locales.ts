import { SITE_TIME_ZONE } from '#domain/users/time-zone.ts'

/**
 * The site's languages. Content defaults to `hu`; an unknown visitor gets `en`. They equal the contract's list (a test
 * compares them); the values are repeated here because the contract would bring its schema library into every client.
 */
export const locales = ['en', 'hu', 'de'] as const
export type Locale = (typeof locales)[number]

export const fallbackLocale: Locale = 'en'

/** Specification section 9: the language cookie lasts 365 days. */
export const localeCookie = { name: 'i18n', maxAgeSeconds: 365 * 24 * 60 * 60 } as const

/** The zone of the site's times until a reader chooses another. */
export const siteTimeZone = SITE_TIME_ZONE

export const isLocale = (value: unknown): value is Locale =>
  typeof value === 'string' && (locales as readonly string[]).includes(value)

/** Each language by its own name, for the language switch. */
export const localeNames: Readonly<Record<Locale, string>> = { en: 'English', hu: 'Magyar', de: 'Deutsch' }
