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

/** A refund or a dispute as it is known here: `minor` of the `whole` that was paid, both in the provider's unit. */
export type Reversal = {
  readonly kind: 'refund' | 'dispute'
  /** The provider's id of it; empty where it lists none and only says that there is one. */
  readonly id: string
  readonly minor: bigint
  readonly whole: bigint
  readonly state: ReversalState
  /** The refund of ours that it is; null for one that was made at the provider's own pages. */
  readonly refundId: string | null
}

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

const isLessOf = (a: Reversal, b: Reversal): boolean => a.minor * b.whole < b.minor * a.whole

/**
 * What is known of a refund or a dispute after another look, in any order of looks. How much it is about is what was told first; only
 * the end of a dispute may tell another amount, and of several such ends the smallest counts.
 */
export function nextReversal(known: Reversal, seen: Reversal): Reversal {
  const state = nextReversalState(known.state, seen.state)
  const tellsEnd =
    seen.state === 'lost' && (known.state === 'open' || (known.state === 'lost' && isLessOf(seen, known)))
  return tellsEnd ? { ...known, state, minor: seen.minor, whole: seen.whole } : { ...known, state }
}

/** Whether the money is away from us: a refund that did not fail, a dispute that was not won. */
export const isAway = (state: ReversalState): boolean => state !== 'failed' && state !== 'won'

/** The one word for all disputes of a payment: an open one first, then one that is lost. */
export function disputeOfAll(states: readonly ReversalState[]): Dispute {
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

/** A refund without a name says only that something went back: once refunds are named, they say what it was. */
export function withoutNameless(reversals: readonly Reversal[]): Reversal[] {
  const isNamed = reversals.some(({ kind, id }) => kind === 'refund' && id !== '')
  return reversals.filter(({ kind, id }) => !isNamed || kind !== 'refund' || id !== '')
}

/** What refunds have sent back of a credit, in forints, whoever asked for them. */
export function refundedShareFt(creditedFt: bigint, reversals: readonly Reversal[]): bigint {
  const parts = withoutNameless(reversals).filter(({ kind, state }) => kind === 'refund' && isAway(state))
  const sum = parts.reduce((total, { minor }) => total + minor, 0n)
  return creditedShareFt(creditedFt, { minor: sum, whole: parts[0]?.whole ?? 1n })
}
