const formatters = new Map<string, Intl.NumberFormat>()

const formatterFor = (locale: string) => {
  const known = formatters.get(locale)
  if (known) return known
  const made = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'HUF',
    currencyDisplay: 'narrowSymbol',
    maximumFractionDigits: 0,
    useGrouping: 'always',
  })
  formatters.set(locale, made)
  return made
}

const typographic = (text: string) => text.replaceAll(/[\u202F ]/g, '\u00A0').replaceAll('-', '\u2212')

/**
 * Whole forints: `1 990 Ft` in Hungarian, `1.990 Ft` in German, `Ft 1,990` in English. Every space is U+00A0, so that
 * an amount never wraps, and the minus is U+2212.
 */
export const formatMoney = (amountFt: number | bigint, locale: string): string =>
  // Avoids `−0 Ft` for a negated zero.
  typographic(formatterFor(locale).format(amountFt === 0 ? 0 : amountFt))

/** As formatMoney, with a plus sign before incoming amounts. */
export const formatSignedMoney = (amountFt: number | bigint, locale: string): string =>
  amountFt > 0 ? `+${formatMoney(amountFt, locale)}` : formatMoney(amountFt, locale)

/** A number grouped like money: `1 990`. */
export const formatCount = (value: number | bigint, locale: string): string =>
  typographic(new Intl.NumberFormat(locale, { useGrouping: 'always', maximumFractionDigits: 1 }).format(value))
