import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { needsApprover, refundToBalanceFault, refundToSource } from '#domain/billing/refund.ts'

const CHARGE = { paid: forints(1000n), refunded: forints(100n) }
const wish = (amount: bigint, reason = 'Two days of outage') => ({ amount: forints(amount), reason })

describe('refund to the balance', () => {
  it.each([1n, 600n, 900n])('may be %s Ft of the 900 Ft that are left', (amount) => {
    expect(refundToBalanceFault(CHARGE, wish(amount))).toBeUndefined()
  })

  it.each([
    ['REASON_MISSING', wish(1n, ' x ')],
    ['REASON_MISSING', wish(1n, '1234567890')],
    ['REASON_MISSING', wish(1n, 'an outage')],
    ['REASON_MISSING', wish(1n, 'x'.repeat(501))],
    ['AMOUNT_INVALID', wish(0n)],
    ['AMOUNT_INVALID', wish(-5n)],
    ['MORE_THAN_PAID', wish(901n)],
  ])('is refused with %s', (code, each) => {
    expect(refundToBalanceFault(CHARGE, each)).toEqual({ ok: false, code })
  })

  it('I8: gives back at most what was paid, in however many parts', () => {
    const amounts = fc.array(fc.bigInt({ min: -10n, max: 600n }), { maxLength: 20 })
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2000n }), amounts, (paid, each) => {
        let refunded = 0n
        for (const amount of each) {
          const charge = { paid: forints(paid), refunded: forints(refunded) }
          if (!refundToBalanceFault(charge, wish(amount))) refunded += amount
        }
        expect(refunded).toBeLessThanOrEqual(paid)
      }),
    )
  })
})

describe('refund to the source', () => {
  const payment = { settled: forints(5000n), refunded: forints(1000n), canRefund: true, available: forints(4000n) }

  it('sends back what is left of the payment and of the balance', () => {
    expect(refundToSource(payment, wish(4000n))).toEqual({ ok: true, amount: forints(4000n) })
  })

  it.each([
    ['REASON_MISSING', payment, wish(1n, '')],
    ['REASON_MISSING', payment, wish(1n, '1234567890')],
    ['AMOUNT_INVALID', payment, wish(0n)],
    ['MORE_THAN_PAID', payment, wish(4001n)],
    ['SOURCE_NOT_REFUNDABLE', { ...payment, canRefund: false }, wish(1n)],
    ['INSUFFICIENT_BALANCE', { ...payment, available: forints(99n) }, wish(100n)],
  ])('is refused with %s', (code, each, asked) => {
    expect(refundToSource(each, asked)).toEqual({ ok: false, code })
  })
})

it('asks for an approver above the limit', () => {
  expect(needsApprover(forints(10_000n), forints(10_000n))).toBe(false)
  expect(needsApprover(forints(10_001n), forints(10_000n))).toBe(true)
})
