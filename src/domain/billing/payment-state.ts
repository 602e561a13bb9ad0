/** States of a payment at any provider. `failed` and `expired` are not the end: a later confirmed payment still counts. */
export const PAYMENT_STATES = ['created', 'pending', 'requires_action', 'failed', 'expired', 'settled'] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]

const RANK: Readonly<Record<PaymentState, number>> = Object.freeze({
  created: 0,
  pending: 1,
  requires_action: 2,
  failed: 3,
  expired: 3,
  settled: 4,
})

/**
 * The state after the provider was seen in `observed`. It only ever moves to a higher rank, so any order and any number
 * of observations end in the same place; of two equal ranks the first stays.
 */
export function nextPaymentState(current: PaymentState, observed: PaymentState): PaymentState {
  return RANK[observed] > RANK[current] ? observed : current
}

/** The word that customers see (clarifications, part 4). */
export function transactionStatus(state: PaymentState): 'processing' | 'failed' | 'finished' {
  if (state === 'settled') return 'finished'
  return state === 'failed' || state === 'expired' ? 'failed' : 'processing'
}
