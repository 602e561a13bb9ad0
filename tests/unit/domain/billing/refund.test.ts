import { describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { decideRefund, type RefundRequest } from '#domain/billing/refund.ts'

const request = (changes: Partial<RefundRequest> = {}): RefundRequest => ({
  state: 'settled',
  dispute: 'none',
  creditedFt: 5_000n,
  refundedFt: 0n,
  refundedAtProviderFt: 0n,
  freeFt: 5_000n,
  refunds: 'partial',
  amount: 5_000,
  ...changes,
})

describe('refund to the source', () => {
  it.each([1, 4_999, 5_000])('sends %i Ft of 5000 back', (amount) => {
    expect(decideRefund(request({ amount }))).toEqual({ ok: true, amount: forints(BigInt(amount)) })
  })

  it.each([
    [{ amount: 5_001 }, 'REFUND_TOO_LARGE'],
    [{ refundedFt: 1n }, 'REFUND_TOO_LARGE'],
    [{ refundedAtProviderFt: 1n }, 'REFUND_TOO_LARGE'],
    [{ freeFt: 4_999n }, 'BALANCE_SPENT'],
    [{ state: 'pending' }, 'NOT_SETTLED'],
    [{ state: 'failed' }, 'NOT_SETTLED'],
    [{ dispute: 'open' }, 'DISPUTED'],
    [{ dispute: 'lost' }, 'DISPUTED'],
    [{ refunds: 'none' }, 'REFUND_NOT_OFFERED'],
    [{ refunds: 'whole', amount: 4_999 }, 'REFUND_NOT_OFFERED'],
    [{ amount: 0 }, 'AMOUNT_INVALID'],
    [{ amount: -1 }, 'AMOUNT_INVALID'],
    [{ amount: 0.5 }, 'AMOUNT_INVALID'],
    [{ amount: '5000' }, 'AMOUNT_INVALID'],
  ] as const)('I8: refuses %o as %s', (changes, code) => {
    expect(decideRefund(request(changes))).toEqual({ ok: false, code })
  })

  it('goes on after a dispute that the house won', () => {
    expect(decideRefund(request({ dispute: 'won' }))).toMatchObject({ ok: true })
  })
})
