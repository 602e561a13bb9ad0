import { LOCALES, type Locale } from '#contracts/locale.ts'

type Data = Readonly<Record<string, unknown>>

const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)

/** A leaf that is written in each language: exactly the keys en, hu and de. */
const isLocalized = (value: unknown): value is Record<Locale, unknown> =>
  isData(value) && Object.keys(value).length === LOCALES.length && LOCALES.every((locale) => locale in value)

/** The data as one language has it: every leaf with three languages becomes the leaf of that one. */
export const inLanguage = (value: unknown, locale: Locale): unknown => {
  if (isLocalized(value)) return value[locale]
  if (Array.isArray(value)) return value.map((entry) => inLanguage(entry, locale))
  if (!isData(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inLanguage(inner, locale)]))
}

/**
 * Puts the row ids of a stored document into data for another language: without them Payload would take the rows of its
 * arrays for new ones and drop what the first language has in them.
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

/** Rich text has no rows of the database in it. */
const isPlainText = (value: unknown): boolean => isData(value) && isData(value.root)
