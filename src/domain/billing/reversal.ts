import type { Dispute } from './payment-state.ts'

/** How far a refund came at its provider. `failed` may follow `succeeded`: a bank sends money back that it was sent. */
export const REFUND_STATES = ['pending', 'succeeded', 'failed'] as const
export type RefundProgress = (typeof REFUND_STATES)[number]
/** How far a dispute came. While it is open the bank holds the money; what is won stays won. */
export const DISPUTE_STATES = ['open', 'lost', 'won'] as const
export type DisputeProgress = (typeof DISPUTE_STATES)[number]
export type ReversalState = RefundProgress | DisputeProgress

/** A refund as its provider lists it; `refundId` is the id of ours that it carries, null when it carries none. */
export type SeenRefund = {
  readonly id: string
  readonly refundId: string | null
  readonly minor: bigint
  readonly state: RefundProgress
}

/** A dispute as its provider lists it, with the part of the payment that it is about. */
export type SeenDispute = { readonly id: string; readonly minor: bigint; readonly state: DisputeProgress }

const RANK: Readonly<Record<ReversalState, number>> = Object.freeze({
  pending: 0,
  succeeded: 1,
  failed: 2,
  open: 0,
  lost: 1,
  won: 2,
})

/** The state after another look. It only moves on, so all orders of all looks end alike. */
export const nextReversalState = <State extends ReversalState>(known: State, seen: State): State =>
  RANK[seen] > RANK[known] ? seen : known

/** Whether the money is away from us: a refund that did not fail, a dispute that was not won. */
export const isAway = (state: ReversalState): boolean => state !== 'failed' && state !== 'won'

/** The one word for all disputes of a payment: an open one first, then one that is lost. */
export function disputeOfAll(states: readonly DisputeProgress[]): Dispute {
  return DISPUTE_STATES.find((state) => states.includes(state)) ?? 'none'
}

/**
 * What of a credit of `creditedFt` a part of the paid amount stands for, in forints. The parts are in the provider's unit: what was
 * credited may be less than what was paid. A begun forint counts whole, as the money is away; never more than the credit.
 */
export function creditedShareFt(creditedFt: bigint, { minor, whole }: { minor: bigint; whole: bigint }): bigint {
  if (minor >= whole) return creditedFt
  return minor <= 0n ? 0n : (creditedFt * minor + whole - 1n) / whole
}
