const formatters = new Map<string, Intl.NumberFormat>()

const formatterFor = (locale: string): Intl.NumberFormat => {
  const known = formatters.get(locale)
  if (known) return known
  const made = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, useGrouping: 'always' })
  formatters.set(locale, made)
  return made
}

/** A number grouped like money: `1 990`, with one decimal at most. Every space is U+00A0, and the minus is U+2212. */
export const formatCount = (value: number | bigint, locale: string): string =>
  // Avoids `−0` for a negated zero.
  formatterFor(locale)
    .format(value === 0 ? 0 : value)
    .replaceAll(/[\u202F ]/g, '\u00A0')
    .replaceAll('-', '\u2212')

/**
 * Whole forints: `1 990 Ft` in Hungarian, `1.990 Ft` in German, `1,990 Ft` in English. The unit follows the number in
 * all three, because the catalogs' sentences place it there, and an amount never wraps.
 */
export const formatMoney = (amountFt: number | bigint, locale: string): string =>
  `${formatCount(amountFt, locale)}\u00A0Ft`

/**
 * An amount as a payment provider states it: `minor` counts units of 10^-exponent. Whole forints are written as
 * everywhere, other currencies with decimals and code.
 */
export const formatStated = (
  { minor, currency, exponent }: { readonly minor: string; readonly currency: string; readonly exponent: number },
  locale: string,
): string => {
  const amount = Number(minor) / 10 ** exponent
  if (currency === 'HUF' && Number.isInteger(amount)) return formatMoney(amount, locale)
  const digits = { minimumFractionDigits: exponent, maximumFractionDigits: exponent }
  return new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'code', ...digits }).format(
    amount,
  )
}
