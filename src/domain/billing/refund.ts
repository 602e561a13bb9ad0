import { add, isLess, subtract, type Money } from './money.ts'
import { isReason } from './staff-reason.ts'

export const REFUND_TARGETS = ['balance', 'source'] as const
export type RefundTarget = (typeof REFUND_TARGETS)[number]

/** Every reason for which staff cannot give money back, in the order in which they are checked. */
export const REFUND_REFUSALS = [
  'REASON_MISSING',
  'AMOUNT_INVALID',
  'MORE_THAN_PAID',
  'SOURCE_NOT_REFUNDABLE',
  'INSUFFICIENT_BALANCE',
] as const
export type RefundRefusal = { readonly ok: false; readonly code: (typeof REFUND_REFUSALS)[number] }
const refused = (code: RefundRefusal['code']): RefundRefusal => ({ ok: false, code })

type Wish = { readonly amount: Money; readonly reason: string }

function wishFault({ amount, reason }: Wish): RefundRefusal | undefined {
  if (!isReason(reason)) return refused('REASON_MISSING')
  return amount.minor < 1n ? refused('AMOUNT_INVALID') : undefined
}

/** What was paid for something out of each part of the balance. */
export type Buckets = { readonly money: Money; readonly bonus: Money }

export type RefundToBalance = { readonly ok: true; readonly target: 'balance' } & Buckets

/**
 * Gives something that was bought back to the balance, never more than was paid for it and not given back yet (I8). It returns to where
 * it came from (I14): the customer's money first, which was spent last, then the bonus.
 */
export function refundToBalance(
  charge: { readonly paid: Buckets; readonly refunded: Buckets },
  wish: Wish,
): RefundToBalance | RefundRefusal {
  const fault = wishFault(wish)
  if (fault) return fault
  const left = {
    money: subtract(charge.paid.money, charge.refunded.money),
    bonus: subtract(charge.paid.bonus, charge.refunded.bonus),
  }
  if (isLess(add(left.money, left.bonus), wish.amount)) return refused('MORE_THAN_PAID')
  const fromMoney = isLess(left.money, wish.amount) ? left.money : wish.amount
  return { ok: true, target: 'balance', money: fromMoney, bonus: subtract(wish.amount, fromMoney) }
}

export type RefundToSource = { readonly ok: true; readonly target: 'source'; readonly amount: Money }

/**
 * Sends a top-up back to where it came from, never more than was paid and not refunded yet, and never more money than the customer
 * still has: what was spent is refunded to the balance first. A bonus is never sent anywhere. Phone payments cannot be sent back.
 */
export function refundToSource(
  payment: {
    readonly settled: Money
    readonly refunded: Money
    readonly canRefund: boolean
    /** The money part of the balance, less what is held. */
    readonly available: Money
  },
  wish: Wish,
): RefundToSource | RefundRefusal {
  const fault = wishFault(wish)
  if (fault) return fault
  if (isLess(subtract(payment.settled, payment.refunded), wish.amount)) return refused('MORE_THAN_PAID')
  if (!payment.canRefund) return refused('SOURCE_NOT_REFUNDABLE')
  return isLess(payment.available, wish.amount)
    ? refused('INSUFFICIENT_BALANCE')
    : { ok: true, target: 'source', amount: wish.amount }
}

/** Whether an amount that staff give needs a second person to agree: only what is above the limit of the settings. */
export const needsSecondPerson = (amount: Money, limit: Money): boolean => isLess(limit, amount)
