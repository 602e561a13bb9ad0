import { add, divideRounded, isLess, money, subtract, type CurrencyCode, type Money } from './money.ts'
import { giveBack, type PaidSpan } from './paid-time.ts'
import type { Buckets } from './refund.ts'

/** A span of paid time with the bonus part of its payment; the rest was the customer's money. */
export type FundedSpan = PaidSpan & { readonly bonus: Money }

/**
 * The bonus part of a span's payment. Bonus is spent first, so of the spans of one charge it paid the earliest ones:
 * `paidBefore` is the price of the earlier spans of the same charge, `chargeBonus` the bonus of the whole charge.
 */
export function bonusOfSpan(span: {
  readonly paid: Money
  readonly paidBefore: Money
  readonly chargeBonus: Money
}): Money {
  const { paid, paidBefore, chargeBonus } = span
  if (!isLess(paidBefore, chargeBonus)) return money(0n, paid.currency)
  const left = subtract(chargeBonus, paidBefore)
  return isLess(left, paid) ? left : paid
}

/**
 * The bonus part of a span's payment, distributed over its split parts in time order. Money is refunded first, from
 * whichever part; so the unrefunded part contains the bonus, and the refunded part only the rest of it.
 */
export function bonusOfParts(parts: readonly Pick<PaidSpan, 'paid' | 'returned'>[], chargeBonus: Money): Money[] {
  let left = chargeBonus.minor
  const fill = (room: Money): bigint => {
    const filled = left < room.minor ? left : room.minor
    left -= filled
    return filled
  }
  const standing = parts.map(({ paid, returned }) => fill(subtract(paid, returned)))
  return parts.map(({ returned, paid }, index) => money((standing[index] ?? 0n) + fill(returned), paid.currency))
}

const nothing = (currency: CurrencyCode): Buckets => ({ money: money(0n, currency), bonus: money(0n, currency) })

/** For one span: first its money, which was spent last, then its bonus. */
function bucketsOfSpan(span: Pick<FundedSpan, 'paid' | 'returned' | 'bonus'>, given: Money): Buckets {
  const paidMoney = subtract(span.paid, span.bonus)
  const moneyBack = isLess(span.returned, paidMoney) ? span.returned : paidMoney
  const moneyLeft = subtract(paidMoney, moneyBack)
  const fromMoney = isLess(moneyLeft, given) ? moneyLeft : given
  return { money: fromMoney, bonus: subtract(given, fromMoney) }
}

/**
 * The refund between two states of the same spans, by what each of them was paid with (I14): bonus that paid one month
 * is never refunded as the money that paid another. `after` has the order of `before`.
 */
export function bucketsGivenBack(
  before: readonly FundedSpan[],
  after: readonly Pick<PaidSpan, 'returned'>[],
  currency: CurrencyCode,
): Buckets {
  return before.reduce<Buckets>((all, span, index) => {
    const given = subtract(after[index]?.returned ?? span.returned, span.returned)
    const part = bucketsOfSpan(span, given)
    return { money: add(all.money, part.money), bonus: add(all.bonus, part.bonus) }
  }, nothing(currency))
}

/**
 * Refunds an amount that is not derived from the remaining time: unused time first, latest first, never more than was
 * paid for a span. Returns the spans afterwards in the same order, and the amount that could not be refunded because
 * nothing is left.
 */
export function giveBackAmount<Span extends PaidSpan>(
  spans: readonly Span[],
  amount: Money,
  nowMs: number,
): { readonly spans: readonly Span[]; readonly rest: Money } {
  const { currency } = amount
  let rest = amount.minor
  const { spans: unused } = giveBack(spans, { downTo: money(0n, currency), nowMs })
  const latestFirst = spans.map((span, index) => ({ span, index })).toSorted((a, b) => b.span.endMs - a.span.endMs)
  const take = (room: bigint): bigint => {
    const given = rest < room ? rest : room
    rest -= given
    return given
  }
  const after = [...spans]
  for (const { span, index } of latestFirst) {
    const given = take((unused[index] ?? span).returned.minor - span.returned.minor)
    const ahead = money((span.ahead?.minor ?? 0n) + given, currency)
    after[index] = { ...span, returned: money(span.returned.minor + given, currency), ahead }
  }
  for (const { index } of latestFirst) {
    const span = after[index]
    if (!span) continue
    const given = take(span.paid.minor - span.returned.minor)
    after[index] = { ...span, returned: money(span.returned.minor + given, currency) }
  }
  return { spans: after, rest: money(rest, currency) }
}

/**
 * Splits the span of an upgrade where another contract's time begins: payment and refund are distributed by time, and
 * the parts add up to the whole. Staff's refunds of future time count for the latest time first.
 */
export function splitSpan<Span extends PaidSpan>(span: Span, atMs: number): readonly [Span, Span] {
  const { startMs, endMs, paid, returned, ahead = money(0n, paid.currency) } = span
  const share = (amount: Money): Money =>
    money(divideRounded(amount.minor * BigInt(endMs - atMs), BigInt(endMs - startMs)), amount.currency)
  const paidLate = share(paid)
  const bySize = subtract(returned, ahead)
  const bySizeLate = share(bySize)
  const [early, late] = [
    { ...span, endMs: atMs, paid: subtract(paid, paidLate), returned: subtract(bySize, bySizeLate) },
    { ...span, startMs: atMs, paid: paidLate, returned: bySizeLate },
  ]
  const aheadLate = money(aheadOfLate(early, late, ahead.minor), paid.currency)
  const aheadEarly = subtract(ahead, aheadLate)
  return [
    { ...early, returned: add(early.returned, aheadEarly), ahead: aheadEarly },
    { ...late, returned: add(late.returned, aheadLate), ahead: aheadLate },
  ]
}

/** At most the price of the later part, within the refunds that each part can have had. */
function aheadOfLate(early: PaidSpan, late: PaidSpan, ahead: bigint): bigint {
  const width = late.toMonthly.minor - late.fromMonthly.minor
  const held = late.paid.minor * (late.heldMonthly.minor - late.fromMonthly.minor)
  const wanted = width > 0n ? (held + width - 1n) / width : 0n
  const least = ahead - (early.paid.minor - early.returned.minor)
  const most = late.paid.minor - late.returned.minor
  const inReach = wanted < most ? wanted : most
  const given = inReach < ahead ? inReach : ahead
  return given < least ? least : given
}
