import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  DISPUTES,
  mergeFacts,
  nextPaymentState,
  PAYMENT_STATES,
  paymentStanding,
  transactionStatus,
  type PaymentFacts,
} from '#domain/payments/payment-state.ts'

const NOTHING: PaymentFacts = { state: 'created', refundedFt: 0n, dispute: 'none' }
const facts = (changes: Partial<PaymentFacts>): PaymentFacts => ({ ...NOTHING, ...changes })

const permute = <Item>(list: readonly Item[]): Item[][] =>
  list.length < 2
    ? [[...list]]
    : list.flatMap((head, index) => permute(list.filter((_, at) => at !== index)).map((tail) => [head, ...tail]))

const anyFacts = fc.record({
  state: fc.constantFrom(...PAYMENT_STATES),
  refundedFt: fc.bigInt({ min: 0n, max: 2_000n }),
  dispute: fc.constantFrom(...DISPUTES),
})

describe('payment state', () => {
  it.each([
    ['created', 'pending', 'pending'],
    ['pending', 'created', 'pending'],
    ['settled', 'failed', 'settled'],
    ['settled', 'pending', 'settled'],
    ['failed', 'settled', 'settled'],
    ['expired', 'settled', 'settled'],
    ['failed', 'pending', 'failed'],
    ['failed', 'expired', 'failed'],
  ] as const)('T06, T07: %s and then %s is %s', (current, observed, expected) => {
    expect(nextPaymentState(current, observed)).toBe(expected)
  })

  it('case 62, T07: every permutation of processing, failed, succeeded, refunded and expired ends alike', () => {
    const looks = [
      facts({ state: 'pending' }),
      facts({ state: 'failed' }),
      facts({ state: 'settled' }),
      facts({ state: 'settled', refundedFt: 500n }),
      facts({ state: 'expired' }),
      facts({ state: 'settled', dispute: 'open' }),
    ]
    for (const order of permute(looks)) {
      expect(order.reduce(mergeFacts, NOTHING)).toEqual({ state: 'settled', refundedFt: 500n, dispute: 'open' })
    }
  })

  it('T07: any looks in any order, any of them repeated, end alike', () => {
    fc.assert(
      fc.property(
        fc
          .array(anyFacts, { minLength: 1, maxLength: 8 })
          .chain((looks) =>
            fc.tuple(fc.constant(looks), fc.shuffledSubarray(looks, { minLength: looks.length }), fc.subarray(looks)),
          ),
        ([looks, shuffled, again]) => {
          const end = looks.reduce(mergeFacts, NOTHING)
          expect([...shuffled, ...again].reduce(mergeFacts, NOTHING)).toEqual(end)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('counts money that went back or is disputed as having come', () => {
    expect(mergeFacts(NOTHING, facts({ state: 'failed', refundedFt: 1n })).state).toBe('settled')
    expect(mergeFacts(NOTHING, facts({ state: 'pending', dispute: 'lost' })).state).toBe('settled')
  })

  it.each([
    [facts({ state: 'settled' }), 'settled'],
    [facts({ state: 'settled', refundedFt: 500n }), 'partially_refunded'],
    [facts({ state: 'settled', refundedFt: 1_000n }), 'refunded'],
    [facts({ state: 'settled', dispute: 'open' }), 'disputed'],
    [facts({ state: 'settled', dispute: 'lost' }), 'charged_back'],
    [facts({ state: 'settled', dispute: 'won' }), 'settled'],
    [facts({ state: 'expired' }), 'expired'],
  ] as const)('has one word for staff: %o is %s', (known, word) => {
    expect(paymentStanding(known, 1_000n)).toBe(word)
  })

  it('tells the customer one of three words', () => {
    expect(PAYMENT_STATES.map(transactionStatus)).toEqual([
      'processing',
      'processing',
      'processing',
      'failed',
      'failed',
      'finished',
    ])
  })
})
