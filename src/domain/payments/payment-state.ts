/** States of a payment at any provider. `failed` and `expired` are not the end: a later confirmed payment still counts. */
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

/** Whether the customer's bank takes a settled payment back. `won` is the house's: the money is here again. */
export const DISPUTES = ['none', 'open', 'lost', 'won'] as const
export type Dispute = (typeof DISPUTES)[number]

/** What is known of a payment: how far it came, what of it went back (forints), and what became of a dispute. */
export type PaymentFacts = { readonly state: PaymentState; readonly refundedFt: bigint; readonly dispute: Dispute }

/**
 * The state after the provider was seen in `observed`. It only ever moves to a higher rank, so any order and any number
 * of observations end in the same place (billing.md, section 4; T06, T07).
 */
export function nextPaymentState(current: PaymentState, observed: PaymentState): PaymentState {
  return RANK[observed] > RANK[current] ? observed : current
}

/**
 * What is known after another look: each fact moves in one direction only, so all orders of all looks end alike. Money that
 * went back, or is disputed, was once here: such a payment counts as settled even when that look was missed.
 */
export function mergeFacts(known: PaymentFacts, seen: PaymentFacts): PaymentFacts {
  const refundedFt = seen.refundedFt > known.refundedFt ? seen.refundedFt : known.refundedFt
  const dispute = DISPUTES.indexOf(seen.dispute) > DISPUTES.indexOf(known.dispute) ? seen.dispute : known.dispute
  const state = nextPaymentState(known.state, seen.state)
  return { state: refundedFt > 0n || dispute !== 'none' ? 'settled' : state, refundedFt, dispute }
}

export type PaymentStanding = PaymentState | 'partially_refunded' | 'refunded' | 'disputed' | 'charged_back'

/** The one word that staff read for all facts of a payment of `amountFt`. */
export function paymentStanding({ state, refundedFt, dispute }: PaymentFacts, amountFt: bigint): PaymentStanding {
  if (dispute === 'open') return 'disputed'
  if (dispute === 'lost') return 'charged_back'
  if (refundedFt >= amountFt && refundedFt > 0n) return 'refunded'
  return refundedFt > 0n ? 'partially_refunded' : state
}

/** The word that customers see (clarifications, part 4). */
export function transactionStatus(state: PaymentState): 'processing' | 'failed' | 'finished' {
  if (state === 'settled') return 'finished'
  return state === 'failed' || state === 'expired' ? 'failed' : 'processing'
}
