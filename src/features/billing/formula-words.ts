import type { useTranslations } from 'next-intl'
import type { FormulaPart, ServerSize } from '#contracts/http/transaction-detail.ts'
import { formatCount, formatMoney } from '@/lib/format/money.ts'
import { memoryText } from '@/lib/format/size.ts'

export type LineWords = ReturnType<typeof useTranslations<'balance.line'>>
type Reader = { readonly t: LineWords; readonly locale: string }

/** One step of an amount's calculation. `sign` is printed between it and the previous step. */
export type FormulaStep = { readonly sign: '+' | '−'; readonly text: string }

const RESOURCES = ['cpuPercent', 'ramMiB', 'storageMiB'] as const
const isResource = (key: string): key is (typeof RESOURCES)[number] => (RESOURCES as readonly string[]).includes(key)

const quantityText = (key: string, quantity: number, locale: string): string =>
  key === 'ramMiB' || key === 'storageMiB'
    ? memoryText(quantity, locale)
    : `${formatCount(quantity, locale)}${key === 'cpuPercent' ? '\u00A0%' : ''}`

const resourceText = (
  { key, quantity, monthlyFt, months }: Extract<FormulaPart, { kind: 'resource' }>,
  { t, locale }: Reader,
): string => {
  const name = isResource(key) ? t(`resources.${key}`) : t('resources.points')
  const what = `${name} ${quantityText(key, quantity, locale)}`
  return t('parts.resource', { what, price: formatMoney(monthlyFt, locale), months })
}

const partText = (part: FormulaPart, { t, locale }: Reader): string => {
  const money = (amountFt: number) => formatMoney(amountFt, locale)
  const amount = money(Math.abs(part.amountFt))
  switch (part.kind) {
    case 'months':
      return t('parts.months', { price: money(part.monthlyFt), months: part.months })
    case 'resource':
      return resourceText(part, { t, locale })
    case 'premium-discount':
      return part.percent === null
        ? t('parts.premium', { amount })
        : t('parts.premiumPercent', { percent: part.percent, amount })
    case 'coupon':
      return t('parts.coupon', { code: part.code, amount })
    case 'days-charged':
    case 'days-returned': {
      const prices = { from: money(part.fromMonthlyFt), to: money(part.toMonthlyFt) }
      const days = formatDays(part.days, locale)
      return t(part.kind === 'days-charged' ? 'parts.daysCharged' : 'parts.daysReturned', { ...prices, days })
    }
    case 'each':
      return t('parts.each', { count: part.count, price: money(part.eachFt) })
    case 'paid':
      return t('parts.paid', { amount })
    case 'provider-share':
      return t('parts.providerShare', { amount })
    case 'disputed':
      return t('parts.disputed', { amount })
    case 'debt':
      return t('parts.debt', { amount })
    case 'kept-used':
      return t('parts.keptUsed', { amount })
    case 'kept-spins':
      return t('parts.keptSpins', { amount })
    case 'kept-discounts':
      return t('parts.keptDiscounts', { amount })
    case 'flat':
      return amount
  }
}

const formatDays = (days: number, locale: string): string =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }).format(days)

/** The steps in the reader's words, in order. */
export const formulaSteps = (formula: readonly FormulaPart[], reader: Reader): FormulaStep[] =>
  formula.map((part) => ({ sign: part.amountFt < 0 ? '−' : '+', text: partText(part, reader) }))

/** Whether the steps say more than the amount, which is already in the line. */
export const isFormulaWorthwhile = (formula: readonly FormulaPart[]): boolean =>
  formula.length > 1 || formula.some(({ kind }) => kind !== 'flat' && kind !== 'paid' && kind !== 'disputed')

/** A size as one phrase: `2 GB, 10 GB, 100 %`, each with its name. */
export const sizeText = ({ cpuPercent, memoryMiB, storageMiB }: ServerSize, { t, locale }: Reader): string =>
  t('size', {
    memory: memoryText(memoryMiB, locale),
    storage: memoryText(storageMiB, locale),
    processor: `${formatCount(cpuPercent, locale)}\u00A0%`,
  })
