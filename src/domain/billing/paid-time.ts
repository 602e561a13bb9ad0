import { divideRounded, money, subtract, type CurrencyCode, type Money } from './money.ts'
import { BILLING_MONTH_MS } from './period.ts'

/**
 * A span of paid time, and its payment after every discount. An order or renewal creates one per month, an upgrade one
 * for the rest of the time, which covers only the part of the monthly price between the old and the new size. Refunds
 * and downgrades are calculated from these and never from a price list, so that nobody is refunded more than they paid
 * (T27).
 */
export type PaidSpan = {
  readonly startMs: number
  readonly endMs: number
  /** The bought part of the monthly list price: from this price ... */
  readonly fromMonthly: Money
  /** ... up to this one. */
  readonly toMonthly: Money
  /** The part still held; a downgrade lowers it. At most `toMonthly`, at least `fromMonthly`. */
  readonly heldMonthly: Money
  readonly paid: Money
  /** The refunded part of `paid`. */
  readonly returned: Money
  /**
   * The part of `returned` for future time that staff have refunded and that no later reduction of this time has used
   * up; 0 by default.
   */
  readonly ahead?: Money
}

/** The spans of an order or renewal: one for each month of 30 x 24 h from `startMs` on, `paidByMonth` in that order. */
export function spansOfMonths({
  startMs,
  monthly,
  paidByMonth,
}: {
  readonly startMs: number
  readonly monthly: Money
  readonly paidByMonth: readonly Money[]
}): PaidSpan[] {
  return paidByMonth.map((paid, index) => ({
    startMs: startMs + index * BILLING_MONTH_MS,
    endMs: startMs + (index + 1) * BILLING_MONTH_MS,
    fromMonthly: money(0n, monthly.currency),
    toMonthly: monthly,
    heldMonthly: monthly,
    paid,
    returned: money(0n, monthly.currency),
  }))
}

/** The span of an upgrade: the difference of two monthly prices, from now to the end of the paid time. */
export function spanOfUpgrade(upgrade: {
  readonly nowMs: number
  readonly expiresAtMs: number
  readonly from: Money
  readonly to: Money
  readonly paid: Money
}): PaidSpan {
  const { from, to, paid } = upgrade
  return {
    startMs: upgrade.nowMs,
    endMs: upgrade.expiresAtMs,
    fromMonthly: from,
    toMonthly: to,
    heldMonthly: to,
    paid,
    returned: money(0n, paid.currency),
  }
}

/**
 * A span's total and remaining milliseconds. Not whole days: a customer who upgrades shortly after a day begins and
 * downgrades shortly before it ends would be charged for fewer days than are refunded.
 */
export function spanTime(
  { startMs, endMs }: Pick<PaidSpan, 'startMs' | 'endMs'>,
  nowMs: number,
): { wholeMs: number; leftMs: number } {
  const wholeMs = Math.max(0, endMs - startMs)
  return { wholeMs, leftMs: Math.min(wholeMs, Math.max(0, endMs - nowMs)) }
}

type Fraction = { readonly numerator: bigint; readonly denominator: bigint }

/** The exact part of a span's payment for future time and for the monthly price above `downTo`. */
function unusedShare(span: PaidSpan, downTo: Money, nowMs: number): Fraction {
  const width = span.toMonthly.minor - span.fromMonthly.minor
  const bottom = downTo.minor > span.fromMonthly.minor ? downTo.minor : span.fromMonthly.minor
  const height = span.heldMonthly.minor - bottom
  const { wholeMs, leftMs } = spanTime(span, nowMs)
  if (width <= 0n || height <= 0n || wholeMs === 0) return { numerator: 0n, denominator: 1n }
  return { numerator: span.paid.minor * height * BigInt(leftMs), denominator: width * BigInt(wholeMs) }
}

/** A share less staff's refunds of its future time. */
function lessAhead({ numerator, denominator }: Fraction, { ahead }: PaidSpan): Fraction {
  const rest = numerator - (ahead?.minor ?? 0n) * denominator
  return { numerator: rest > 0n ? rest : 0n, denominator }
}

/**
 * A share, limited to the unrefunded part of the span. Applied before the shares are added: a forint missing in one
 * span would otherwise be missing from the sum, and refunding all could be less than refunding a part.
 */
function withinRoom(share: Fraction, { paid, returned }: PaidSpan): Fraction {
  const room = paid.minor > returned.minor ? paid.minor - returned.minor : 0n
  return share.numerator > room * share.denominator ? { numerator: room, denominator: 1n } : share
}

const plus = (a: Fraction, b: Fraction): Fraction => ({
  numerator: a.numerator * b.denominator + b.numerator * a.denominator,
  denominator: a.denominator * b.denominator,
})

export type GivenBack = {
  readonly amount: Money
  /** The spans afterwards, in the same order. */
  readonly spans: readonly PaidSpan[]
}

/**
 * Refunds the unused part of payments above a monthly price, and lowers the held price to it; 0 refunds everything. The
 * exact shares are added and rounded once; a span is never refunded more than was paid for it, however often this
 * happens.
 */
export function giveBack(
  spans: readonly PaidSpan[],
  { downTo, nowMs }: { readonly downTo: Money; readonly nowMs: number },
): GivenBack {
  const shares = spans.map((span) => withinRoom(lessAhead(unusedShare(span, downTo, nowMs), span), span))
  const exact = shares.reduce(plus, { numerator: 0n, denominator: 1n })
  let left = divideRounded(exact.numerator, exact.denominator)
  const parts = shares.map(({ numerator, denominator }) => numerator / denominator)
  left -= parts.reduce((before, part) => before + part, 0n)
  const after = spans.map((span, index) => {
    const share = shares[index]
    const isRounded = left > 0n && share !== undefined && share.numerator % share.denominator !== 0n
    const given = (parts[index] ?? 0n) + (isRounded ? 1n : 0n)
    if (isRounded) left -= 1n
    return { given, span: lower(span, { downTo, nowMs }, given) }
  })
  const amount = after.reduce((before, { given }) => before + given, 0n)
  return { amount: money(amount, downTo.currency), spans: after.map(({ span }) => span) }
}

function lower(span: PaidSpan, { downTo, nowMs }: { downTo: Money; nowMs: number }, given: bigint): PaidSpan {
  const bottom = downTo.minor > span.fromMonthly.minor ? downTo : span.fromMonthly
  const heldMonthly = span.heldMonthly.minor > bottom.minor ? bottom : span.heldMonthly
  const lowered = { ...span, heldMonthly, returned: money(span.returned.minor + given, span.returned.currency) }
  if (span.ahead === undefined) return lowered
  const { numerator, denominator } = unusedShare(span, downTo, nowMs)
  const left = span.ahead.minor - (numerator + denominator - 1n) / denominator
  return { ...lowered, ahead: money(left > 0n ? left : 0n, span.ahead.currency) }
}

/** The unused payment of a customer who leaves now, rounded once. */
export function unusedPaid(
  spans: readonly PaidSpan[],
  { nowMs, currency }: { readonly nowMs: number; readonly currency: CurrencyCode },
): Money {
  return giveBack(spans, { downTo: money(0n, currency), nowMs }).amount
}

/** The payments for the spans, less refunds. */
export function paidInAll(spans: readonly PaidSpan[], currency: CurrencyCode): Money {
  return spans.reduce(
    (before, { paid, returned }) => money(before.minor + subtract(paid, returned).minor, currency),
    money(0n, currency),
  )
}
