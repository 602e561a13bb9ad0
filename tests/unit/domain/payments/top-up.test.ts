import { describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { decideTopUp, parseForints, suggestedTopUpFt, type TopUpRequest } from '#domain/payments/top-up.ts'

const request = (changes: Partial<TopUpRequest>): TopUpRequest => ({
  isVerified: true,
  amount: 5000,
  acceptTerms: true,
  method: 'sandbox',
  methods: [
    // Takes less and more than the house does, whose bounds hold beside those of a method.
    { id: 'sandbox', kinds: ['redirect'], minimumFt: 1n, maximumFt: 10_000_000n, tariffs: [] },
    { id: 'card', kinds: ['card'], minimumFt: 1_000n, maximumFt: 5_000n, tariffs: [] },
    {
      id: 'phone',
      kinds: ['premium-sms', 'premium-call'],
      minimumFt: 500n,
      maximumFt: 5_000n,
      tariffs: [{ kind: 'premium-sms', paidFt: 1905n, creditedFt: 800n, number: '06-90-888-333' }],
    },
  ],
  ...changes,
})

describe('top-up amount', () => {
  it.each([
    ['zero', 0, 'AMOUNT_INVALID'],
    ['minus one', -1, 'AMOUNT_INVALID'],
    ['minus zero', -0, 'AMOUNT_INVALID'],
    ['NaN', Number.NaN, 'AMOUNT_INVALID'],
    ['infinity', Number.POSITIVE_INFINITY, 'AMOUNT_INVALID'],
    ['1e309', JSON.parse('1e309'), 'AMOUNT_INVALID'],
    ['0.1 + 0.2', 0.1 + 0.2, 'AMOUNT_NOT_WHOLE'],
    ['half a forint', 500.5, 'AMOUNT_NOT_WHOLE'],
    ['2^53', 2 ** 53, 'AMOUNT_INVALID'],
    ['2^63', 2 ** 63, 'AMOUNT_INVALID'],
    ['text 1e3', '1e3', 'AMOUNT_INVALID'],
    ['text 10,5', '10,5', 'AMOUNT_INVALID'],
    ['text 5000', '5000', 'AMOUNT_INVALID'],
    ['Arabic digits', '١٢', 'AMOUNT_INVALID'],
    ['null', null, 'AMOUNT_INVALID'],
    ['undefined', undefined, 'AMOUNT_INVALID'],
    ['a list', [5000], 'AMOUNT_INVALID'],
    ['an empty list', [], 'AMOUNT_INVALID'],
    ['an object', {}, 'AMOUNT_INVALID'],
    ['an object that pretends', { valueOf: () => 5000 }, 'AMOUNT_INVALID'],
    ['true', true, 'AMOUNT_INVALID'],
    ['a bigint', 5000n, 'AMOUNT_INVALID'],
  ])('refuses %s', (_name, value, code) => {
    expect(parseForints(value)).toEqual({ ok: false, code })
  })

  it('reads a whole positive number', () => {
    expect(parseForints(1990)).toEqual({ ok: true, amount: forints(1990n) })
  })
})

describe('top-up decision', () => {
  it.each([
    [{ amount: 499 }, 'TOPUP_TOO_SMALL'],
    [{ amount: 0 }, 'TOPUP_TOO_SMALL'],
    [{ amount: -5_000 }, 'TOPUP_TOO_SMALL'],
    [{ amount: -0.5 }, 'AMOUNT_NOT_WHOLE'],
    [{ amount: 1_000_001 }, 'TOPUP_TOO_LARGE'],
    [{ acceptTerms: false }, 'TERMS_NOT_ACCEPTED'],
    [{ acceptTerms: 'true' }, 'TERMS_NOT_ACCEPTED'],
    [{ method: 'barion' }, 'METHOD_NOT_AVAILABLE'],
    [{ method: null }, 'METHOD_NOT_AVAILABLE'],
    [{ amount: '5000' }, 'AMOUNT_INVALID'],
    [{ isVerified: false }, 'EMAIL_NOT_VERIFIED'],
    [{ isVerified: false, amount: 0 }, 'EMAIL_NOT_VERIFIED'],
  ] as const)('refuses %j with %s', (changes, code) => {
    expect(decideTopUp(request(changes))).toEqual({ ok: false, code })
  })

  it.each([500, 1_000_000])('accepts the bound %s', (amount) => {
    const whole = forints(BigInt(amount))
    const decided = { ok: true, amount: whole, credited: whole, method: 'sandbox', kind: 'redirect' }
    expect(decideTopUp(request({ amount }))).toEqual(decided)
  })

  it('credits what a tariff hands over: 1905 Ft paid by message give 800', () => {
    expect(decideTopUp(request({ method: 'phone', amount: 1905 }))).toEqual({
      ok: true,
      amount: forints(1905n),
      credited: forints(800n),
      method: 'phone',
      kind: 'premium-sms',
    })
  })

  it.each([
    [{ method: 'phone', amount: 2000 }, 'AMOUNT_NOT_OFFERED'],
    [{ method: 'phone', amount: 1905, kind: 'premium-call' }, 'AMOUNT_NOT_OFFERED'],
    [{ method: 'phone', amount: 5001 }, 'AMOUNT_NOT_OFFERED'],
    [{ method: 'card', amount: 999 }, 'TOPUP_TOO_SMALL'],
    [{ method: 'card', amount: 5001 }, 'TOPUP_TOO_LARGE'],
    [{ method: 'phone', amount: 1905, kind: 'redirect' }, 'METHOD_NOT_AVAILABLE'],
    [{ kind: 'premium-sms' }, 'METHOD_NOT_AVAILABLE'],
  ] as const)('holds the method to what it offers: %j is %s', (changes, code) => {
    expect(decideTopUp(request(changes))).toEqual({ ok: false, code })
  })
})

describe('a suggested top-up', () => {
  it.each([
    [1, 500],
    [500, 500],
    [501, 600],
    [1800, 1800],
    [1801, 1900],
  ])('covers the %i Ft that are missing: %i Ft', (missingFt, suggestedFt) => {
    expect(suggestedTopUpFt(missingFt)).toBe(suggestedFt)
  })
})
