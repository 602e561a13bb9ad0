import { createTranslator } from 'next-intl'
import { TOPUP_MAXIMUM_FT, TOPUP_MINIMUM_FT } from '#contracts/http/balance.ts'
import type { ErrorCode } from '#contracts/http/errors.ts'
import { FIELD_FAULTS } from '#contracts/http/field-fault.ts'
import type { FieldFault } from '#contracts/http/field-fault.ts'
import type { Locale } from '#contracts/locale.ts'
import { isPermission } from '#contracts/panel/permissions.ts'
import type { Permission } from '#contracts/panel/permissions.ts'
import { faultOfWord } from '#domain/startup/check-value.ts'
import de from '../messages/de.json'
import en from '../messages/en.json'
import hu from '../messages/hu.json'
import { formatMoney, quotedPrice } from '../lib/format/money.ts'

const catalogs = { en, hu, de }

const isFieldFault = (code: string): code is FieldFault => (FIELD_FAULTS as readonly string[]).includes(code)

const translatorFor = (locale: Locale) =>
  createTranslator({ locale, messages: catalogs[locale], namespace: 'errors', onError: () => {} })

/** The sentence of a refusal that names the missing permission by its word on the collaborators' page. */
const missingPermission = (permission: Permission, locale: Locale): string => {
  const t = createTranslator({ locale, messages: catalogs[locale], namespace: 'collaborators', onError: () => {} })
  return t('needs', { permission: t(`keys.${permission}`) })
}

const PURCHASES = ['renewal', 'resize'] as const
const isPurchase = (value: unknown): value is (typeof PURCHASES)[number] =>
  (PURCHASES as readonly unknown[]).includes(value)

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 3_600

/** A wait in words: whole seconds, minutes from two on, hours from two on. */
const waitText = (seconds: number, locale: Locale): string => {
  const inUnits = (unit: 'second' | 'minute' | 'hour', unitSeconds: number) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(Math.ceil(seconds / unitSeconds))
  if (seconds < 2 * MINUTE_SECONDS) return inUnits('second', 1)
  return seconds < 2 * HOUR_SECONDS ? inUnits('minute', MINUTE_SECONDS) : inUnits('hour', HOUR_SECONDS)
}

/** The sentence of an error in the reader's language. Params hold whole forints; `purchase` says what they would buy, `permission` which one is missing. */
export const errorMessage = (
  code: ErrorCode,
  locale: Locale,
  params: Readonly<Record<string, string | number>> = {},
): string => {
  const amountFt = (name: string) => {
    const stated = Number(params[name] ?? 0)
    return Number.isFinite(stated) ? stated : 0
  }
  const { purchase, permission } = params
  if (code === 'FORBIDDEN' && isPermission(permission)) return missingPermission(permission, locale)
  const key = code === 'INSUFFICIENT_BALANCE' && isPurchase(purchase) ? (`insufficientFor.${purchase}` as const) : code
  return translatorFor(locale)(key, {
    variable: '',
    who: '',
    number: '',
    limit: 0,
    ...params,
    price: quotedPrice(amountFt('price'), locale),
    amount: formatMoney(amountFt('price'), locale),
    minimum: formatMoney(TOPUP_MINIMUM_FT, locale),
    maximum: formatMoney(code === 'TOPUP_TOO_LARGE' ? TOPUP_MAXIMUM_FT : amountFt('maximum'), locale),
    wait: waitText(Number(params['retryAfterSeconds'] ?? 0), locale),
  })
}

/** The sentence for an invalid field. */
export const fieldMessage = (code: string, locale: Locale): string => {
  const fault = faultOfWord(code)
  if (fault) return translatorFor(locale)(`values.${fault.code}`, { limit: fault.limit ?? '' })
  return translatorFor(locale)(`fields.${isFieldFault(code) ? code : 'invalid'}`)
}
