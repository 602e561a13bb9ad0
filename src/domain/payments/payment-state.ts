/**
 * States of a payment at any provider. `failed` and `expired` are not final: a later confirmed payment still counts.
 */
export const PAYMENT_STATES = ['created', 'pending', 'requires_action', 'failed', 'expired', 'settled'] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]

const RANK: Readonly<Record<PaymentState, number>> = Object.freeze({
  created: 0,
  pending: 1,
  requires_action: 2,
  expired: 3,
  failed: 4,
  settled: 5,
})

/** Whether the customer's bank disputes a settled payment. `won` means that the house has the money again. */
export const DISPUTES = ['none', 'open', 'lost', 'won'] as const
export type Dispute = (typeof DISPUTES)[number]

/** The facts about a payment: its progress, its returned part (forints), and its dispute. */
export type PaymentFacts = { readonly state: PaymentState; readonly refundedFt: bigint; readonly dispute: Dispute }

/**
 * The state after an `observed` one. It only ever moves to a higher rank, so any order and number of observations leads
 * to the same result (billing.md, section 4; T06, T07).
 */
export function nextPaymentState(current: PaymentState, observed: PaymentState): PaymentState {
  return RANK[observed] > RANK[current] ? observed : current
}

/**
 * The facts after another lookup: each moves in one direction only, so that any order of lookups leads to the same
 * result. Returned or disputed money must have arrived once: such a payment counts as settled even if that lookup was
 * missed.
 */
export function mergeFacts(known: PaymentFacts, seen: PaymentFacts): PaymentFacts {
  const refundedFt = seen.refundedFt > known.refundedFt ? seen.refundedFt : known.refundedFt
  const dispute = DISPUTES.indexOf(seen.dispute) > DISPUTES.indexOf(known.dispute) ? seen.dispute : known.dispute
  const state = nextPaymentState(known.state, seen.state)
  return { state: refundedFt > 0n || dispute !== 'none' ? 'settled' : state, refundedFt, dispute }
}

export type PaymentStanding = PaymentState | 'partially_refunded' | 'refunded' | 'disputed' | 'charged_back'

/** The overall state of a payment of `amountFt` for staff. */
export function paymentStanding({ state, refundedFt, dispute }: PaymentFacts, amountFt: bigint): PaymentStanding {
  if (dispute === 'open') return 'disputed'
  if (dispute === 'lost') return 'charged_back'
  if (refundedFt >= amountFt && refundedFt > 0n) return 'refunded'
  return refundedFt > 0n ? 'partially_refunded' : state
}

/** The status shown to customers (clarifications, part 4). */
export function transactionStatus(state: PaymentState): 'processing' | 'failed' | 'finished' {
  if (state === 'settled') return 'finished'
  return state === 'failed' || state === 'expired' ? 'failed' : 'processing'
}
