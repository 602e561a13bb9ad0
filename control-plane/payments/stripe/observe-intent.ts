import type { Stripe } from 'stripe'
import type { Dispute } from '#domain/billing/payment-state.ts'
import type { ObservedPayment } from '../payment-provider.ts'

/** Stripe charges forints with two decimals, which are always zero (docs.stripe.com/currencies). */
export const STRIPE_EXPONENT = 2

type Status = Stripe.PaymentIntent.Status

/** After a decline the same intent waits for another card: `failed` says so, and a later success still counts (T06). */
function stateOf({ status, last_payment_error: failure }: Stripe.PaymentIntent): ObservedPayment['state'] {
  const states: Readonly<Record<string, ObservedPayment['state']>> = {
    succeeded: 'settled',
    requires_action: 'requires_action',
    requires_confirmation: 'requires_action',
    canceled: 'expired',
  } satisfies Partial<Record<Status, ObservedPayment['state']>>
  if (status === 'requires_payment_method') return failure === null ? 'pending' : 'failed'
  return states[status] ?? 'pending'
}

/** What a bank only asks about takes no money; everything else of a dispute does until it is won. */
export function disputeOf(statuses: readonly Stripe.Dispute.Status[]): Dispute {
  const taken = statuses.filter((status) => !status.startsWith('warning_') && status !== 'prevented')
  if (taken.includes('lost')) return 'lost'
  if (taken.some((status) => status !== 'won')) return 'open'
  return taken.length > 0 ? 'won' : 'none'
}

/** The intent as the core reads it. `latest_charge` is expanded; `disputes` are all of its charge. */
export function observeIntent(intent: Stripe.PaymentIntent, disputes: readonly Stripe.Dispute[]): ObservedPayment {
  const {
    amount,
    amount_received: received,
    status,
    metadata,
    latest_charge: charge,
    last_payment_error: failure,
  } = intent
  return {
    state: stateOf(intent),
    amount: {
      minor: BigInt(status === 'succeeded' ? received : amount),
      currency: intent.currency.toUpperCase(),
      exponent: STRIPE_EXPONENT,
    },
    reference: metadata['payment_id'] ?? null,
    refundedMinor: BigInt(charge === null || typeof charge === 'string' ? 0 : charge.amount_refunded),
    dispute: disputeOf(disputes.map((dispute) => dispute.status)),
    failureCode: failure?.decline_code ?? failure?.code ?? null,
  }
}

/** What is left for the customer to do. */
export const mayBePaid = ({ status }: Stripe.PaymentIntent): boolean =>
  status === 'requires_payment_method' || status === 'requires_confirmation' || status === 'requires_action'
