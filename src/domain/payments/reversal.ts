import type { Dispute } from './payment-state.ts'

/** The progress of a refund at its provider. `failed` may follow `succeeded`, because banks send refunds back. */
export const REFUND_STATES = ['pending', 'succeeded', 'failed'] as const
export type RefundProgress = (typeof REFUND_STATES)[number]
/** The progress of a dispute. While it is open the bank has the money; won is final. */
export const DISPUTE_STATES = ['open', 'lost', 'won'] as const
export type DisputeProgress = (typeof DISPUTE_STATES)[number]
export type ReversalState = RefundProgress | DisputeProgress

/** A refund as listed by its provider; `refundId` is our id that it carries, null without one. */
export type SeenRefund = {
  readonly id: string
  readonly refundId: string | null
  readonly minor: bigint
  readonly state: RefundProgress
}

/** A dispute as listed by its provider, with the disputed part of the payment. */
export type SeenDispute = { readonly id: string; readonly minor: bigint; readonly state: DisputeProgress }

/** A stored refund or dispute: `minor` of the paid `whole`, both in the provider's unit. */
export type Reversal = {
  readonly kind: 'refund' | 'dispute'
  /** The provider's id; empty if it lists none and only reports that there is one. */
  readonly id: string
  readonly minor: bigint
  readonly whole: bigint
  readonly state: ReversalState
  /** Our matching refund; null for one made on the provider's own pages. */
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

/** The state after another lookup. It only moves forward, so that any order of lookups leads to the same result. */
export const nextReversalState = <State extends ReversalState>(known: State, seen: State): State =>
  RANK[seen] > RANK[known] ? seen : known

const isLessOf = (a: Reversal, b: Reversal): boolean => a.minor * b.whole < b.minor * a.whole

/**
 * The facts about a refund or a dispute after another lookup, in any order of lookups. The first reported amount
 * counts; only the end of a dispute may report another one, and of several such ends the smallest counts.
 */
export function nextReversal(known: Reversal, seen: Reversal): Reversal {
  const state = nextReversalState(known.state, seen.state)
  const tellsEnd =
    seen.state === 'lost' && (known.state === 'open' || (known.state === 'lost' && isLessOf(seen, known)))
  return tellsEnd ? { ...known, state, minor: seen.minor, whole: seen.whole } : { ...known, state }
}

/** Whether the money has left us: a refund that did not fail, a dispute that was not won. */
export const isAway = (state: ReversalState): boolean => state !== 'failed' && state !== 'won'

/** The overall state of all disputes of a payment: an open one first, then a lost one. */
export function disputeOfAll(states: readonly ReversalState[]): Dispute {
  return DISPUTE_STATES.find((state) => states.includes(state)) ?? 'none'
}

/**
 * The part of a credit of `creditedFt` for a part of the paid amount, in forints. The parts are in the provider's unit:
 * the credit may be less than the payment. A fraction counts as a whole forint, because the money has left; never more
 * than the credit.
 */
export function creditedShareFt(creditedFt: bigint, { minor, whole }: { minor: bigint; whole: bigint }): bigint {
  if (minor >= whole) return creditedFt
  return minor <= 0n ? 0n : (creditedFt * minor + whole - 1n) / whole
}

/** Drops refunds without an id once any refund has one: the ones with ids describe the same money. */
export function withoutNameless(reversals: readonly Reversal[]): Reversal[] {
  const isNamed = reversals.some(({ kind, id }) => kind === 'refund' && id !== '')
  return reversals.filter(({ kind, id }) => !isNamed || kind !== 'refund' || id !== '')
}

/** The part of a credit returned by refunds, in forints, whoever requested them. */
export function refundedShareFt(creditedFt: bigint, reversals: readonly Reversal[]): bigint {
  const parts = withoutNameless(reversals).filter(({ kind, state }) => kind === 'refund' && isAway(state))
  const sum = parts.reduce((total, { minor }) => total + minor, 0n)
  return creditedShareFt(creditedFt, { minor: sum, whole: parts[0]?.whole ?? 1n })
}
