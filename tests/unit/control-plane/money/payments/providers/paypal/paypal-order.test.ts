import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inHouseUnits } from '#domain/payments/payment-amount.ts'
import {
  amountOf,
  observeOrder,
  readOrder,
} from '../../../../../../../control-plane/money/payments/providers/paypal/paypal-order.ts'

const money = (value: string) => ({ currency_code: 'HUF', value })
const order = (status: string, payments: object = {}) =>
  readOrder({ id: 'O', status, purchase_units: [{ custom_id: 'p1', amount: money('1990'), payments }] })
const captured = (status: string, more: object = {}) => ({ id: 'C', status, amount: money('1990'), ...more })

describe('an order as the core reads it', () => {
  it.each([
    [order('CREATED'), 'pending'],
    [order('PAYER_ACTION_REQUIRED'), 'pending'],
    [order('APPROVED'), 'pending'],
    [order('VOIDED'), 'expired'],
    [order('COMPLETED', { captures: [captured('COMPLETED')] }), 'settled'],
    [order('COMPLETED', { captures: [captured('PARTIALLY_REFUNDED')] }), 'settled'],
    [order('COMPLETED', { captures: [captured('REFUNDED')] }), 'settled'],
    [order('COMPLETED', { captures: [captured('PENDING')] }), 'pending'],
    [order('COMPLETED', { captures: [captured('DECLINED')] }), 'failed'],
    [order('COMPLETED', { captures: [captured('FAILED')] }), 'failed'],
    [order('COMPLETED', { captures: [captured('DECLINED'), captured('COMPLETED')] }), 'settled'],
  ])('T13: %j is %s', (read, state) => expect(observeOrder(read).state).toBe(state))

  it('counts as sent back what is listed, and all of it when the capture says so', () => {
    const refund = (value: string, status = 'COMPLETED') => ({ id: 'R', status, amount: money(value) })
    const part = order('COMPLETED', {
      captures: [captured('PARTIALLY_REFUNDED')],
      refunds: [refund('500'), refund('90.00'), refund('100', 'FAILED')],
    })
    expect(observeOrder(part).refundedMinor).toBe(590n)
    const whole = order('COMPLETED', { captures: [captured('REFUNDED')] })
    expect(observeOrder(whole).refundedMinor).toBe(1990n)
  })

  it('tells that the money is asked back', () => {
    const asked = captured('PENDING', { status_details: { reason: 'CHARGEBACK' } })
    expect(observeOrder(order('COMPLETED', { captures: [asked] })).dispute).toBe('open')
  })

  it('refuses what nobody understands', () => {
    for (const value of ['-1', '1e3', '1 990', '1,990', '', 'NaN', '٣'])
      expect(() => readOrder({ id: 'O', status: 'CREATED', purchase_units: [{ amount: money(value) }] })).toThrow(
        'PayPal',
      )
  })
})

describe('T14: an amount in words', () => {
  it('keeps every digit that was said', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1_000_000_000 }), fc.nat({ max: 3 }), (whole, decimals) => {
        const value = decimals === 0 ? String(whole) : `${whole}.${'0'.repeat(decimals)}`
        expect(inHouseUnits(amountOf(money(value)), 'HUF')).toBe(BigInt(whole))
      }),
    )
  })

  it('has no forints for a fraction of one', () => {
    expect(inHouseUnits(amountOf(money('1990.50')), 'HUF')).toBeUndefined()
  })
})
