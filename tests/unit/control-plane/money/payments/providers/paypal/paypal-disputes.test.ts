import { describe, expect, it } from 'vitest'
import { disputesOfCapture } from '../../../../../../../control-plane/money/payments/providers/paypal/paypal-disputes.ts'

const CAPTURE = { captureId: 'C', amount: { minor: 5000n, currency: 'HUF', exponent: 0 } }
const money = (value: string, currency = 'HUF') => ({ currency_code: currency, value })

/** A PayPal that knows one dispute about a capture. */
const paypalWith = (dispute: object) => ({
  call: ({ path }: { path: string }) =>
    Promise.resolve({
      kind: 'done' as const,
      body: path.includes('disputed_transaction_id=C')
        ? { items: [{ dispute_id: 'D' }] }
        : { dispute_id: 'D', ...dispute },
    }),
})
const seen = async (dispute: object) => await disputesOfCapture(paypalWith(dispute), CAPTURE)
const ended = (outcome: object) => ({ status: 'RESOLVED', dispute_amount: money('1200'), dispute_outcome: outcome })

describe('a dispute as the core reads it', () => {
  it.each([
    ['RESOLVED_BUYER_FAVOUR', 'lost'],
    ['ACCEPTED', 'lost'],
    ['RESOLVED_SELLER_FAVOUR', 'won'],
    ['CANCELED_BY_BUYER', 'won'],
    ['DENIED', 'won'],
    ['RESOLVED_WITH_PAYOUT', 'won'],
    ['NONE', 'open'],
    ['A_WORD_OF_NEXT_YEAR', 'open'],
  ])('that ends with %s is %s', async (outcome_code, state) => {
    expect(await seen(ended({ outcome_code }))).toEqual([{ id: 'D', minor: 1200n, state }])
  })

  it.each(['OPEN', 'WAITING_FOR_SELLER_RESPONSE', 'UNDER_REVIEW'])('is open while it is %s', async (status) => {
    const dispute = { ...ended({ outcome_code: 'RESOLVED_BUYER_FAVOUR' }), status }
    expect(await seen(dispute)).toEqual([{ id: 'D', minor: 1200n, state: 'open' }])
  })

  it('that is lost is about the money that the customer got', async () => {
    const got = { amount_refunded: money('700') }
    expect(await seen(ended({ outcome_code: 'ACCEPTED', ...got }))).toMatchObject([{ minor: 700n, state: 'lost' }])
    expect(await seen(ended({ outcome_code: 'DENIED', ...got }))).toMatchObject([{ minor: 1200n, state: 'won' }])
  })

  it('is about the whole capture where it tells no amount, or one in another currency', async () => {
    expect(await seen({ status: 'OPEN' })).toMatchObject([{ minor: 5000n }])
    expect(await seen({ status: 'OPEN', dispute_amount: money('12', 'EUR') })).toMatchObject([{ minor: 5000n }])
  })
})
