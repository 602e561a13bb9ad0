import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { decidePaymentRefund, refundableFt, type PaymentRefundRequest } from '#domain/payments/refund-to-source.ts'

const request = (changes: Partial<PaymentRefundRequest> = {}): PaymentRefundRequest => ({
  state: 'settled',
  dispute: 'none',
  creditedFt: 5_000n,
  refundedFt: 0n,
  refundedAtProviderFt: 0n,
  freeFt: 5_000n,
  refunds: 'partial',
  amount: 5_000,
  reason: 'The customer withdrew.',
  ...changes,
})

describe('refund to the source', () => {
  it.each([1, 4_999, 5_000])('sends %i Ft of 5000 back', (amount) => {
    expect(decidePaymentRefund(request({ amount }))).toMatchObject({ ok: true, amount: forints(BigInt(amount)) })
  })

  it.each([
    [{ amount: 5_001 }, 'MORE_THAN_PAID'],
    [{ refundedFt: 1n }, 'MORE_THAN_PAID'],
    [{ refundedAtProviderFt: 1n }, 'MORE_THAN_PAID'],
    [{ freeFt: 4_999n }, 'INSUFFICIENT_BALANCE'],
    [{ state: 'pending' }, 'NOT_SETTLED'],
    [{ state: 'failed' }, 'NOT_SETTLED'],
    [{ dispute: 'open' }, 'DISPUTED'],
    [{ dispute: 'lost' }, 'DISPUTED'],
    [{ refunds: 'none' }, 'SOURCE_NOT_REFUNDABLE'],
    [{ refunds: 'whole', amount: 4_999 }, 'SOURCE_NOT_REFUNDABLE'],
    [{ amount: 0 }, 'AMOUNT_INVALID'],
    [{ reason: ' ' }, 'REASON_MISSING'],
    [{ amount: -1 }, 'AMOUNT_INVALID'],
    [{ amount: 0.5 }, 'AMOUNT_INVALID'],
    [{ amount: '5000' }, 'AMOUNT_INVALID'],
  ] as const)('I8: refuses %o as %s', (changes, code) => {
    expect(decidePaymentRefund(request(changes))).toEqual({ ok: false, code })
  })

  it('I8: the most that staff are offered is the most that is sent', () => {
    const amount = fc.bigInt({ min: 0n, max: 6n })
    const payments = fc.record({
      state: fc.constantFrom('settled' as const, 'failed' as const),
      creditedFt: fc.constant(5n),
      dispute: fc.constantFrom('none' as const, 'open' as const, 'won' as const),
      refundedFt: amount,
      refundedAtProviderFt: amount,
      refunds: fc.constantFrom('none' as const, 'whole' as const, 'partial' as const),
    })
    fc.assert(
      fc.property(payments, (payment) => {
        const sendable = [1, 2, 3, 4, 5, 6].filter((ft) => decidePaymentRefund(request({ ...payment, amount: ft })).ok)
        expect(refundableFt(payment)).toBe(BigInt(Math.max(0, ...sendable)))
      }),
    )
  })

  it('goes on after a dispute that the house won', () => {
    expect(decidePaymentRefund(request({ dispute: 'won' }))).toMatchObject({ ok: true })
  })
})
