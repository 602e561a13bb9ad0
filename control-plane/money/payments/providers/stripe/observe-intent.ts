import type { Stripe } from 'stripe'
import { disputeOfAll, type RefundProgress, type SeenDispute, type SeenRefund } from '#domain/payments/reversal.ts'
import type { ObservedPayment } from '../../payment-provider.ts'

/** Stripe charges forints with two decimals, which are always zero (docs.stripe.com/currencies). */
export const STRIPE_EXPONENT = 2

type Status = Stripe.PaymentIntent.Status

/**
 * After a decline the same intent accepts another card: it is reported as `failed`, and a later success still counts
 * (T06).
 */
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

const ENDED = ['lost', 'won'] as const

/** A bank's mere inquiry takes no money; every other dispute does until it is won. */
function disputesIn(disputes: readonly Stripe.Dispute[]): SeenDispute[] {
  const taken = disputes.filter(({ status }) => !status.startsWith('warning_') && status !== 'prevented')
  return taken.map(({ id, amount, status }) => ({
    id,
    minor: BigInt(amount),
    state: ENDED.find((end) => end === status) ?? 'open',
  }))
}

const REFUND_STATES: Readonly<Record<string, RefundProgress>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
}

export const refundStateOf = ({ status }: Stripe.Refund): RefundProgress => REFUND_STATES[status ?? ''] ?? 'pending'

/** Our refunds carry our id; refunds made on Stripe's own pages carry none. */
const refundsIn = (refunds: readonly Stripe.Refund[]): SeenRefund[] =>
  refunds.map((refund) => ({
    id: refund.id,
    refundId: refund.metadata?.['refund_id'] ?? null,
    minor: BigInt(refund.amount),
    state: refundStateOf(refund),
  }))

/** All refunds and disputes of an intent's charge. */
export type OfCharge = { readonly refunds: readonly Stripe.Refund[]; readonly disputes: readonly Stripe.Dispute[] }

/** The intent as the core's type. `latest_charge` is expanded. */
export function observeIntent(intent: Stripe.PaymentIntent, { refunds, disputes }: OfCharge): ObservedPayment {
  const {
    amount,
    amount_received: received,
    status,
    metadata,
    latest_charge: charge,
    last_payment_error: failure,
  } = intent
  const seen = disputesIn(disputes)
  return {
    state: stateOf(intent),
    amount: {
      minor: BigInt(status === 'succeeded' ? received : amount),
      currency: intent.currency.toUpperCase(),
      exponent: STRIPE_EXPONENT,
    },
    reference: metadata['payment_id'] ?? null,
    refundedMinor: BigInt(charge === null || typeof charge === 'string' ? 0 : charge.amount_refunded),
    dispute: disputeOfAll(seen.map(({ state }) => state)),
    refunds: refundsIn(refunds),
    disputes: seen,
    failureCode: failure?.decline_code ?? failure?.code ?? null,
  }
}

/** Whether the customer can still act. */
export const mayBePaid = ({ status }: Stripe.PaymentIntent): boolean =>
  status === 'requires_payment_method' || status === 'requires_confirmation' || status === 'requires_action'
