import { LOCALES, type Locale } from '#contracts/locale.ts'

type Data = Readonly<Record<string, unknown>>

const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)

/** A leaf in each language: exactly the keys en, hu and de. */
const isLocalized = (value: unknown): value is Record<Locale, unknown> =>
  isData(value) && Object.keys(value).length === LOCALES.length && LOCALES.every((locale) => locale in value)

/** The data in one language: every leaf with three languages becomes that language's value. */
export const inLanguage = (value: unknown, locale: Locale): unknown => {
  if (isLocalized(value)) return value[locale]
  if (Array.isArray(value)) return value.map((entry) => inLanguage(entry, locale))
  if (!isData(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inLanguage(inner, locale)]))
}

/**
 * Copies the row ids of a stored document into data for another language: otherwise Payload would treat the array rows
 * as new ones and drop the first language's content.
 */
export const withRowIds = (data: unknown, stored: unknown): unknown => {
  if (Array.isArray(data)) {
    return data.map((row, place) => withRowIds(row, Array.isArray(stored) ? stored[place] : undefined))
  }
  if (!isData(data) || !isData(stored)) return data
  const rows = Object.fromEntries(
    Object.entries(data).map(([name, inner]) => [name, isPlainText(inner) ? inner : withRowIds(inner, stored[name])]),
  )
  return typeof stored.id === 'string' && !('id' in data) ? { ...rows, id: stored.id } : rows
}

/** Rich text contains no database rows. */
const isPlainText = (value: unknown): boolean => isData(value) && isData(value.root)
