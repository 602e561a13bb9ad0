import { isLess, subtract, type Money } from './money.ts'
import { isReason } from './staff-reason.ts'

/** Every reason why staff cannot refund, in the order in which they are checked. */
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

/** The payment for something, by bucket of the balance. */
export type Buckets = { readonly money: Money; readonly bonus: Money }

/**
 * Why staff cannot refund this amount of a purchase to the balance: never more than was paid for it and not refunded
 * yet (I8). Undefined if they can; the spans determine the bucket (decision 28).
 */
export function refundToBalanceFault(
  charge: { readonly paid: Money; readonly refunded: Money },
  wish: Wish,
): RefundRefusal | undefined {
  const fault = wishFault(wish)
  if (fault) return fault
  return isLess(subtract(charge.paid, charge.refunded), wish.amount) ? refused('MORE_THAN_PAID') : undefined
}

export type RefundToSource = { readonly ok: true; readonly amount: Money }

/**
 * Refunds a top-up to its source, never more than was paid and not refunded yet, and never more money than the customer
 * still has: spent money is refunded to the balance first. A bonus is never sent out. Phone payments cannot be refunded
 * to their source.
 */
export function refundToSource(
  payment: {
    readonly settled: Money
    readonly refunded: Money
    readonly canRefund: boolean
    /** The money part of the balance, less holds. */
    readonly available: Money
  },
  wish: Wish,
): RefundToSource | RefundRefusal {
  const fault = wishFault(wish)
  if (fault) return fault
  if (isLess(subtract(payment.settled, payment.refunded), wish.amount)) return refused('MORE_THAN_PAID')
  if (!payment.canRefund) return refused('SOURCE_NOT_REFUNDABLE')
  return isLess(payment.available, wish.amount) ? refused('INSUFFICIENT_BALANCE') : { ok: true, amount: wish.amount }
}

/** Whether an amount moved by staff needs an approver: only above the limit in the settings. */
export const needsApprover = (amount: Money, limit: Money): boolean => isLess(limit, amount)
