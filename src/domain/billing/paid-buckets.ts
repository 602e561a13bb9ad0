import { add, divideRounded, isLess, money, subtract, type CurrencyCode, type Money } from './money.ts'
import { giveBack, type PaidSpan } from './paid-time.ts'
import type { Buckets } from './refund.ts'

/** A span of paid time that knows how much of its payment was bonus; the rest was the customer's money. */
export type FundedSpan = PaidSpan & { readonly bonus: Money }

/**
 * What of a span's payment was bonus. Bonus is spent first, so of the spans of one charge it paid the earliest ones:
 * `paidBefore` is what the spans of the same charge before this one cost, `chargeBonus` the bonus of the whole charge.
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
 * What of the payment for a span was bonus, told apart by the parts it was split into, in the order of their time. Money comes back first,
 * from whichever part; so what has not come back holds the bonus, and what has come back only the rest of it.
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

/** Of one span: its money first, which was spent last, then its bonus. */
function bucketsOfSpan(span: Pick<FundedSpan, 'paid' | 'returned' | 'bonus'>, given: Money): Buckets {
  const paidMoney = subtract(span.paid, span.bonus)
  const moneyBack = isLess(span.returned, paidMoney) ? span.returned : paidMoney
  const moneyLeft = subtract(paidMoney, moneyBack)
  const fromMoney = isLess(moneyLeft, given) ? moneyLeft : given
  return { money: fromMoney, bonus: subtract(given, fromMoney) }
}

/**
 * What is given back between two states of the same spans, told apart by what each of them was paid with (I14): bonus that paid one
 * month never comes back as the money that paid another. `after` is in the order of `before`.
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
 * Gives an amount back that is not worked out from the time that is left: of what is not used yet first, there and then of the latest time
 * first, never more than was paid for a span. Answers the spans afterwards in the same order, and what could not be given because
 * nothing is left.
 */
export function giveBackAmount<Span extends PaidSpan>(
  spans: readonly Span[],
  amount: Money,
  nowMs: number,
): { readonly spans: readonly Span[]; readonly rest: Money } {
  let rest = amount.minor
  const { spans: unused } = giveBack(spans, { downTo: money(0n, amount.currency), nowMs })
  const latestFirst = spans.map((span, index) => ({ span, index })).toSorted((a, b) => b.span.endMs - a.span.endMs)
  const after = [...spans]
  const giveUpTo = (most: (span: Span, index: number) => Money) => {
    for (const { span, index } of latestFirst) {
      const returned = (after[index] ?? span).returned.minor
      const room = most(span, index).minor - returned
      const given = rest < room ? rest : room
      rest -= given
      after[index] = { ...span, returned: money(returned + given, amount.currency) }
    }
  }
  giveUpTo((span, index) => unused[index]?.returned ?? span.returned)
  giveUpTo(({ paid }) => paid)
  return { spans: after, rest: money(rest, amount.currency) }
}

/**
 * Parts the span of an upgrade where another contract's time begins: what was paid and given back goes by the time of each part, and the
 * parts add up to the whole.
 */
export function splitSpan<Span extends Omit<PaidSpan, 'heldMonthly'>>(span: Span, atMs: number): readonly [Span, Span] {
  const { startMs, endMs, paid, returned } = span
  const share = (amount: Money): Money =>
    money(divideRounded(amount.minor * BigInt(endMs - atMs), BigInt(endMs - startMs)), amount.currency)
  const [paidLate, returnedLate] = [share(paid), share(returned)]
  return [
    { ...span, endMs: atMs, paid: subtract(paid, paidLate), returned: subtract(returned, returnedLate) },
    { ...span, startMs: atMs, paid: paidLate, returned: returnedLate },
  ]
}
