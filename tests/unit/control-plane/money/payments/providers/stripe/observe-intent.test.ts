import type { Stripe } from 'stripe'
import { describe, expect, it } from 'vitest'
import {
  mayBePaid,
  observeIntent,
} from '../../../../../../../control-plane/money/payments/providers/stripe/observe-intent.ts'
import { newCharge, newDispute, newIntent } from '../../../../../../emulators/stripe/stripe-objects.ts'

const intent = (changes: Partial<Stripe.PaymentIntent> = {}): Stripe.PaymentIntent => ({
  ...newIntent({ amount: 199_000, metadata: { payment_id: 'p1' }, description: null, atS: 0 }),
  ...changes,
})
const declined: Stripe.PaymentIntent.LastPaymentError = {
  type: 'card_error',
  code: 'card_declined',
  decline_code: 'lost_card',
}

const NONE = { refunds: [], disputes: [] }

describe('an intent as the core reads it', () => {
  it.each<[Partial<Stripe.PaymentIntent>, string, boolean]>([
    [{ status: 'requires_payment_method' }, 'pending', true],
    [{ status: 'requires_payment_method', last_payment_error: declined }, 'failed', true],
    [{ status: 'requires_confirmation' }, 'requires_action', true],
    [{ status: 'requires_action' }, 'requires_action', true],
    [{ status: 'processing' }, 'pending', false],
    [{ status: 'requires_capture' }, 'pending', false],
    [{ status: 'canceled' }, 'expired', false],
    [{ status: 'succeeded', amount_received: 199_000 }, 'settled', false],
  ])('%j is %s', (changes, state, isPayable) => {
    expect(observeIntent(intent(changes), NONE).state).toBe(state)
    expect(mayBePaid(intent(changes))).toBe(isPayable)
  })

  it('T14: tells the amount with two decimals, and what was received once it was', () => {
    expect(observeIntent(intent(), NONE).amount).toEqual({ minor: 199_000n, currency: 'HUF', exponent: 2 })
    const part = intent({ status: 'succeeded', amount_received: 100_000 })
    expect(observeIntent(part, NONE).amount.minor).toBe(100_000n)
  })

  it('tells what went back, why it failed, and the payment it is for', () => {
    const charge = { ...newCharge(intent(), true, 0), amount_refunded: 50_000 }
    expect(observeIntent(intent({ latest_charge: charge }), NONE)).toMatchObject({
      refundedMinor: 50_000n,
      reference: 'p1',
    })
    expect(observeIntent(intent({ last_payment_error: declined }), NONE).failureCode).toBe('lost_card')
    expect(observeIntent(intent({ metadata: {} }), NONE).reference).toBeNull()
  })
})

it.each<[Stripe.Dispute.Status[], string]>([
  [[], 'none'],
  [['warning_needs_response'], 'none'],
  [['warning_closed'], 'none'],
  [['needs_response'], 'open'],
  [['under_review'], 'open'],
  [['won'], 'won'],
  [['won', 'needs_response'], 'open'],
  [['needs_response', 'lost'], 'open'],
  [['won', 'lost'], 'lost'],
])('disputes %j are %s', (statuses, dispute) => {
  const charge = newCharge(intent(), true, 0)
  const disputes = statuses.map((status) => ({ ...newDispute(charge, status, 0), amount: 50_000 }))
  const observed = observeIntent(intent({ status: 'succeeded' }), { refunds: [], disputes })
  expect(observed.dispute).toBe(dispute)
  expect(observed.disputes?.every(({ minor }) => minor === 50_000n)).toBe(true)
})
