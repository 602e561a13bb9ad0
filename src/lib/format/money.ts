import { formatCount, formatMoney } from '#domain/billing/money-text.ts'

export { formatCount, formatMoney } from '#domain/billing/money-text.ts'

/** As formatMoney, with a plus sign before incoming amounts. */
export const formatSignedMoney = (amountFt: number | bigint, locale: string): string =>
  amountFt > 0 ? `+${formatMoney(amountFt, locale)}` : formatMoney(amountFt, locale)

/**
 * The missing amount in the specification's sentence 'You need extra {price} HUF to purchase this server.': only the
 * English sentence has a unit of its own.
 */
export const quotedPrice = (amountFt: number | bigint, locale: string): string =>
  locale === 'en' ? formatCount(amountFt, locale) : formatMoney(amountFt, locale)
