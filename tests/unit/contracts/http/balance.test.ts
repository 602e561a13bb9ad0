import { describe, expect, it } from 'vitest'
import { BALANCE_CHANGE_SIGNS, BALANCE_CHANGE_TYPES, BalanceChange } from '#contracts/gateway/events.ts'
import { TRANSACTION_STATES, TRANSACTION_TYPES } from '#contracts/http/balance.ts'
import { INVOICE_STATES } from '#domain/billing/invoice.ts'
import { PAYMENT_STATES, transactionStatus } from '#domain/payments/payment-state.ts'
import { changeTypeOf } from '../../../../control-plane/money/payments/credit-payment.ts'

/** The words that customers, pages and programs of theirs read of money (specification sections 3 and 4). */
describe('the words of money on the wire', () => {
  it('states of a payment are processing, finished and failed', () => {
    expect(TRANSACTION_STATES).toEqual(['processing', 'finished', 'failed'])
    expect(Object.fromEntries(PAYMENT_STATES.map((state) => [state, transactionStatus(state)]))).toEqual({
      created: 'processing',
      pending: 'processing',
      requires_action: 'processing',
      settled: 'finished',
      failed: 'failed',
      expired: 'failed',
    })
  })

  it('types of transactions, and states of invoices', () => {
    expect(TRANSACTION_TYPES).toEqual([
      'top-up',
      'order',
      'renewal',
      'server modification',
      'premium',
      'spin',
      'prize',
      'coupon',
      'refund',
      'correction',
    ])
    expect(INVOICE_STATES).toEqual(['issued', 'paid', 'storno', 'corrected'])
  })

  it('every reason for which a balance moves raises or lowers it, and no other is known', () => {
    const of = (sign: number) => BALANCE_CHANGE_TYPES.filter((type) => BALANCE_CHANGE_SIGNS[type] === sign).toSorted()
    expect(of(1)).toEqual(
      ['barion', 'correction up', 'paypal', 'phone', 'prize', 'refund', 'sandbox', 'stripe'].toSorted(),
    )
    expect(of(-1)).toEqual(['correction down', 'modification', 'order', 'premium', 'renewal', 'spin'])
    expect(BalanceChange.safeParse({ type: 'lottery', change: 1, balance: 1 }).success).toBe(false)
    for (const provider of ['sandbox', 'barion', 'paypal', 'stripe', 'phone'])
      expect(changeTypeOf(provider)).toBe(provider)
    expect(() => changeTypeOf('bank')).toThrow(/type of balance change/)
  })
})
