import { LOCALES, type Locale } from '#contracts/locale.ts'

/** Languages of the content and of the admin are those of the product. */
export const contentLanguages = LOCALES

export type Words = Record<Locale, string>

/** One label in the three languages of the admin. */
export const words = (en: string, hu: string, de: string): Words => ({ en, hu, de })

/** The text in a reader's language; English for any language that the admin lacks. */
export const textIn = (language: string, text: Words): string =>
  text[contentLanguages.find((code) => code === language) ?? 'en']
