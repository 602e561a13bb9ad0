import { createTranslator } from 'next-intl'
import type { ErrorCode } from '#contracts/http/errors.ts'
import { FIELD_FAULTS } from '#contracts/http/field-fault.ts'
import type { FieldFault } from '#contracts/http/field-fault.ts'
import type { Locale } from '#contracts/locale.ts'
import de from '../messages/de.json'
import en from '../messages/en.json'
import hu from '../messages/hu.json'
import { formatCount } from '../lib/format/money.ts'

const catalogs = { en, hu, de }

const isFieldFault = (code: string): code is FieldFault => (FIELD_FAULTS as readonly string[]).includes(code)

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
  translatorFor(locale)(`fields.${isFieldFault(code) ? code : 'invalid'}`)
