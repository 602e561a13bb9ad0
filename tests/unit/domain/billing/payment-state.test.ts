import { describe, expect, it } from 'vitest'
import {
  nextPaymentState,
  PAYMENT_STATES,
  transactionStatus,
  type PaymentState,
} from '#domain/billing/payment-state.ts'

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

  it('T07: ends settled in every order of observations that hold a settlement', () => {
    const permute = (list: PaymentState[]): PaymentState[][] =>
      list.length < 2
        ? [list]
        : list.flatMap((head, index) => permute(list.filter((_, at) => at !== index)).map((tail) => [head, ...tail]))
    for (const order of permute([...PAYMENT_STATES])) {
      expect(order.reduce<PaymentState>(nextPaymentState, 'created')).toBe('settled')
    }
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
