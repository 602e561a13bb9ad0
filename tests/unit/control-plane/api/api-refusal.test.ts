import { describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { orderRefused, prizeRefused, topUpRefused } from '../../../../control-plane/api/api-refusal.ts'

describe('refusals in the words of the API', () => {
  it('premium and spins say NOT_ENOUGH_BALANCE with the missing amount where the balance does not suffice', () => {
    const refusal = prizeRefused({ ok: false, code: 'INSUFFICIENT_BALANCE', missing: forints(790n) })
    expect(refusal).toMatchObject({ code: 'NOT_ENOUGH_BALANCE', params: { price: '790' } })
  })

  it('an order says INSUFFICIENT_BALANCE with the missing amount where the balance does not suffice', () => {
    const refusal = orderRefused({ ok: false, code: 'INSUFFICIENT_BALANCE', params: { price: '790' } })
    expect(refusal).toMatchObject({ code: 'INSUFFICIENT_BALANCE', params: { price: '790' } })
  })

  it('a changed price of premium names the new one', () => {
    const refusal = prizeRefused({ ok: false, code: 'PRICE_CHANGED', price: forints(1990n) })
    expect(refusal).toMatchObject({ code: 'PRICE_CHANGED', params: { price: '1990' } })
  })

  it('a full wallet names the most that it can hold', () => {
    const refusal = topUpRefused('TOPUP_WALLET_FULL', { maximum: 2_000_000 })
    expect(refusal).toMatchObject({ code: 'TOPUP_WALLET_FULL', params: { maximum: 2_000_000 } })
  })

  it.each([
    ['TIER_UNKNOWN', 'VALIDATION', { tier: 'invalid' }],
    ['SPIN_COUNT_INVALID', 'SPIN_COUNT_INVALID', { count: 'invalid' }],
  ] as const)('%s names the field of the request', (code, wireCode, fields) => {
    expect(prizeRefused({ ok: false, code })).toMatchObject({ code: wireCode, fields })
  })
})
