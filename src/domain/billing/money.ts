/**
 * Money is an integer count of a currency's smallest unit, never a float. The scale of a currency never changes after
 * launch, because every stored amount would silently change its value.
 */
export type CurrencyCode = 'HUF' | 'EUR'

export type Money = { readonly minor: bigint; readonly currency: CurrencyCode }

type Currency = {
  /** Number of decimal places of the smallest counted unit. The forint is counted whole. */
  readonly exponent: number
  /** Whether accounts, prices and payments may use it. */
  readonly enabled: boolean
}

export const CURRENCIES: Readonly<Record<CurrencyCode, Currency>> = {
  HUF: { exponent: 0, enabled: true },
  EUR: { exponent: 2, enabled: false },
}

/** The largest amount of a PostgreSQL bigint; anything above it cannot be stored and is a bug. */
export const MAX_MINOR = 9_223_372_036_854_775_807n

/** Creates an amount. Throws RangeError for a disabled currency or an amount that cannot be stored. */
export function money(minor: bigint, currency: CurrencyCode): Money {
  if (!CURRENCIES[currency]?.enabled) throw new RangeError(`currency ${String(currency)} is not enabled`)
  if (minor > MAX_MINOR || minor < -MAX_MINOR) throw new RangeError('amount is out of range')
  return { minor, currency }
}

/** Creates an amount of whole forints. */
export function forints(amountFt: bigint): Money {
  return money(amountFt, 'HUF')
}

/** a + b. Throws RangeError for two currencies, or a sum that cannot be stored. */
export function add(a: Money, b: Money): Money {
  assertSameCurrency(a, b)
  return money(a.minor + b.minor, a.currency)
}

/** a - b, which may be negative. Throws RangeError for two currencies. */
export function subtract(a: Money, b: Money): Money {
  assertSameCurrency(a, b)
  return money(a.minor - b.minor, a.currency)
}

/** The amount a whole number of times; for fractions use `allocate` and `divideRounded`. */
export function times(a: Money, factor: bigint): Money {
  return money(a.minor * factor, a.currency)
}

/** The same amount with the opposite sign. */
export function negate(a: Money): Money {
  return money(-a.minor, a.currency)
}

/** Whether a < b. Throws RangeError for two currencies. */
export function isLess(a: Money, b: Money): boolean {
  assertSameCurrency(a, b)
  return a.minor < b.minor
}

/** The sum of any number of amounts of one currency; zero of that currency for none. */
export function sum(parts: readonly Money[], currency: CurrencyCode): Money {
  return parts.reduce(add, money(0n, currency))
}

/**
 * Divides and rounds half away from zero, the rounding of Hungarian invoices. Together with `allocate` it is the only
 * place where an amount is rounded.
 */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  if (denominator <= 0n) throw new RangeError('denominator must be positive')
  const sign = numerator < 0n ? -1n : 1n
  return sign * ((sign * numerator * 2n + denominator) / (denominator * 2n))
}

/**
 * Splits `total` in proportion to `weights`. The parts always add up to `total`: remainders go to the earliest parts.
 */
export function allocate(total: Money, weights: readonly bigint[]): Money[] {
  const whole = weights.reduce((a, b) => a + b, 0n)
  if (whole <= 0n || weights.some((weight) => weight < 0n)) {
    throw new RangeError('weights must be non-negative and not all zero')
  }
  const parts = weights.map((weight) => (total.minor * weight) / whole)
  let left = total.minor - parts.reduce((a, b) => a + b, 0n)
  const step = left < 0n ? -1n : 1n
  for (let index = 0; left !== 0n; index = (index + 1) % parts.length) {
    if ((weights[index] ?? 0n) === 0n) continue
    parts[index] = (parts[index] ?? 0n) + step
    left -= step
  }
  return parts.map((minor) => money(minor, total.currency))
}

function assertSameCurrency(a: Money, b: Money): void {
  if (a.currency !== b.currency) throw new RangeError(`cannot mix ${a.currency} and ${b.currency}`)
}
