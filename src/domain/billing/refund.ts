import { forints, type Money } from './money.ts'
import type { Dispute, PaymentState } from './payment-state.ts'
import { parseForints } from './top-up.ts'

/** Every reason for which money is not sent back to its source. */
export const REFUND_REFUSALS = [
  'NOT_FOUND',
  'AMOUNT_INVALID',
  'NOT_SETTLED',
  'DISPUTED',
  'REFUND_NOT_OFFERED',
  'REFUND_TOO_LARGE',
  'BALANCE_SPENT',
] as const
export type RefundRefusal = (typeof REFUND_REFUSALS)[number]

export type RefundRequest = {
  readonly state: PaymentState
  readonly dispute: Dispute
  readonly creditedFt: bigint
  /** What went back or is on its way, by refunds of ours, and what the provider counts. */
  readonly refundedFt: bigint
  readonly refundedAtProviderFt: bigint
  /** Money of the wallet that nothing holds. A bonus is no money and never leaves. */
  readonly freeFt: bigint
  readonly refunds: 'none' | 'whole' | 'partial'
  readonly amount: unknown
}

export type RefundDecision =
  { readonly ok: true; readonly amount: Money } | { readonly ok: false; readonly code: RefundRefusal }

const refused = (code: RefundRefusal): RefundDecision => ({ ok: false, code })

/**
 * Decides whether staff may send money of a payment back to its source: never more than came in (I8), never what was spent,
 * and nothing while a bank decides about it. The first reason in `REFUND_REFUSALS` that applies is told.
 */
export function decideRefund(request: RefundRequest): RefundDecision {
  const parsed = parseForints(request.amount)
  if (!parsed.ok) return refused('AMOUNT_INVALID')
  if (request.state !== 'settled') return refused('NOT_SETTLED')
  if (request.dispute === 'open' || request.dispute === 'lost') return refused('DISPUTED')
  if (request.refunds === 'none') return refused('REFUND_NOT_OFFERED')
  const { refundedFt: ours, refundedAtProviderFt: theirs } = request
  const leftFt = request.creditedFt - (ours > theirs ? ours : theirs)
  const amountFt = parsed.amount.minor
  if (amountFt > leftFt) return refused('REFUND_TOO_LARGE')
  if (request.refunds === 'whole' && amountFt !== request.creditedFt) return refused('REFUND_NOT_OFFERED')
  return amountFt > request.freeFt ? refused('BALANCE_SPENT') : { ok: true, amount: forints(amountFt) }
}
