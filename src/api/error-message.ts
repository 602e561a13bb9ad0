import { createTranslator } from 'next-intl'
import type { ErrorCode } from '#contracts/http/errors.ts'
import type { Locale } from '#contracts/locale.ts'
import de from '../messages/de.json'
import en from '../messages/en.json'
import hu from '../messages/hu.json'
import { formatCount } from '../lib/format/money.ts'

const catalogs = { en, hu, de }

/** The error codes of a request field. Each has a sentence in the catalogs under errors.fields. */
export const FIELD_CODES = [
  'required',
  'invalid',
  'tooShort',
  'tooLong',
  'tooSmall',
  'tooLarge',
  'notWhole',
  'reserved',
  'mismatch',
  'accept',
] as const
export type FieldCode = (typeof FIELD_CODES)[number]

const isFieldCode = (code: string): code is FieldCode => (FIELD_CODES as readonly string[]).includes(code)

const translatorFor = (locale: Locale) =>
  createTranslator({ locale, messages: catalogs[locale], namespace: 'errors', onError: () => {} })

/** The sentence of an error in the reader's language. Whole forints are grouped as in that language. */
export const errorMessage = (
  code: ErrorCode,
  locale: Locale,
  params: Readonly<Record<string, string | number>> = {},
): string => {
  const grouped = (name: string) => {
    const amountFt = Number(params[name] ?? 0)
    return Number.isFinite(amountFt) ? formatCount(amountFt, locale) : ''
  }
  return translatorFor(locale)(code, {
    ...params,
    price: grouped('price'),
    maximum: grouped('maximum'),
    seconds: Number(params['retryAfterSeconds'] ?? 0),
  })
}

/** The sentence for an invalid field. */
export const fieldMessage = (code: string, locale: Locale): string =>
  translatorFor(locale)(`fields.${isFieldCode(code) ? code : 'invalid'}`)
