import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  checkCoupon,
  couponDiscount,
  couponPrize,
  normaliseCode,
  serverPrize,
  type Coupon,
  type CouponContext,
} from '#domain/billing/coupon.ts'
import { forints } from '#domain/billing/money.ts'
import { BILLING_MONTH_MS } from '#domain/billing/period.ts'

const NOW = Date.UTC(2026, 10, 22)
const coupon = (changes: Partial<Coupon> = {}): Coupon => ({
  id: 'c1',
  code: 'SPRING',
  type: 'percentage',
  amount: 10,
  isActive: true,
  usage: 'multiple',
  scope: 'order',
  ...changes,
})
const context = (changes: Partial<CouponContext> = {}): CouponContext => ({
  areCouponsEnabled: true,
  userId: 'u1',
  serviceId: 's1',
  nowMs: NOW,
  usedCount: 0,
  usedByCustomer: 0,
  orderTotal: forints(990n),
  ...changes,
})

describe('coupon code', () => {
  it.each([
    [' spring 24 ', 'SPRING24'],
    ['ＳＰＲＩＮＧ', 'SPRING'],
    ['a-b_c', 'A-B_C'],
    ['ab', undefined],
    ['-abc', undefined],
    ['tavasz%', undefined],
    ['őszi', undefined],
    ['x'.repeat(33), undefined],
    ['', undefined],
    [{}, undefined],
  ])('reads %j as %s', (value, expected) => {
    expect(normaliseCode(value)).toBe(expected)
  })

  it('is the same when it is read twice', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const code = normaliseCode(text)
        if (code !== undefined) expect(normaliseCode(code)).toBe(code)
      }),
    )
  })
})

describe('coupon', () => {
  it.each([
    ['no limits', {}, {}],
    ['its first moment', { validFromMs: NOW }, {}],
    ['its last moment', { validToMs: NOW + 1, expiresAtMs: NOW + 1 }, {}],
    ['a total that is just allowed', { maxOrderTotal: forints(990n) }, {}],
    ['a use that is left', { maxUses: 2 }, { usedCount: 1 }],
    ['several uses by one customer', {}, { usedByCustomer: 3 }],
    ['one of its services', { serviceIds: ['s0', 's1'] }, {}],
    ['its owner', { ownerId: 'u1' }, {}],
    ['its package', { packageId: 'p1' }, { packageId: 'p1' }],
  ] as const)('is taken with %s', (_, changes, where) => {
    expect(checkCoupon(coupon(changes), context(where))).toMatchObject({ ok: true })
  })

  it.each([
    ['COUPONS_DISABLED', {}, { areCouponsEnabled: false }],
    ['COUPON_INACTIVE', { isActive: false }, {}],
    ['COUPON_NOT_YET_VALID', { validFromMs: NOW + 1 }, {}],
    ['COUPON_EXPIRED', { validToMs: NOW }, {}],
    ['COUPON_EXPIRED', { validToMs: NOW + 5, expiresAtMs: NOW }, {}],
    ['COUPON_ALREADY_USED', { usage: 'once' }, { usedByCustomer: 1 }],
    ['COUPON_USED_UP', { maxUses: 2 }, { usedCount: 2 }],
    ['COUPON_NOT_FOR_SERVICE', { serviceIds: ['s2'] }, {}],
    ['COUPON_NOT_FOR_SERVICE', { serviceIds: [] }, {}],
    ['COUPON_NOT_FOR_SERVICE', { packageId: 'p1' }, {}],
    ['COUPON_TOTAL_TOO_HIGH', { maxOrderTotal: forints(989n) }, {}],
    ['COUPON_NOT_FOUND', { ownerId: 'u2' }, {}],
  ] as const)('T25: is refused with %s', (code, changes, where) => {
    expect(checkCoupon(coupon(changes), context(where))).toEqual({ ok: false, code })
  })

  it('that nobody made does not exist, and a personal one does not exist for others even when it is over', () => {
    expect(checkCoupon(undefined, context())).toEqual({ ok: false, code: 'COUPON_NOT_FOUND' })
    expect(checkCoupon(coupon({ ownerId: 'u2', isActive: false }), context())).toEqual({
      ok: false,
      code: 'COUPON_NOT_FOUND',
    })
  })

  it.each([
    ['percentage', 10, 990n, 99n],
    ['percentage', 100, 990n, 990n],
    ['forint', 500, 990n, 500n],
    ['forint', 5000, 990n, 990n],
    ['forint', 5000, 0n, 0n],
  ] as const)('of %s %s takes off %s Ft: %s Ft', (type, amount, from, expected) => {
    expect(couponDiscount({ type, amount }, forints(from))).toEqual(forints(expected))
  })

  it('T25: never takes off more than there is', () => {
    const kind = fc.oneof(
      fc.record({ type: fc.constant('percentage' as const), amount: fc.integer({ min: 1, max: 100 }) }),
      fc.record({ type: fc.constant('forint' as const), amount: fc.integer({ min: 1, max: 10 ** 9 }) }),
    )
    fc.assert(
      fc.property(kind, fc.bigInt({ min: 0n, max: 10n ** 9n }), (each, from) => {
        const off = couponDiscount(each, forints(from)).minor
        expect(off >= 0n && off <= from).toBe(true)
      }),
    )
  })
})

describe('prizes', () => {
  const won = { id: 'd1', code: 'WON-A7K3', userId: 'u1', drawnAtMs: NOW }

  it('are personal, single, for the first month of any service and valid for a month from the draw', () => {
    const prize = couponPrize({ ...won, percent: 20 })
    expect(prize).toMatchObject({ scope: 'first-month', amount: 20 })
    expect(checkCoupon(prize, context())).toMatchObject({ ok: true })
    expect(checkCoupon(prize, context({ userId: 'u2' }))).toMatchObject({ code: 'COUPON_NOT_FOUND' })
    expect(checkCoupon(prize, context({ nowMs: NOW + BILLING_MONTH_MS }))).toMatchObject({ code: 'COUPON_EXPIRED' })
    expect(checkCoupon(prize, context({ usedCount: 1, usedByCustomer: 1 }))).toMatchObject({
      code: 'COUPON_ALREADY_USED',
    })
  })

  it('of a server pay the first month of its package', () => {
    const prize = serverPrize({ ...won, packageId: 'p1' })
    expect(checkCoupon(prize, context({ packageId: 'p1' }))).toMatchObject({ ok: true })
    expect(checkCoupon(prize, context({ packageId: 'p2' }))).toMatchObject({ code: 'COUPON_NOT_FOR_SERVICE' })
    expect(couponDiscount(prize, forints(990n))).toEqual(forints(990n))
  })

  it.each([0, 101, 2.5])('of %s percent do not exist', (percent) => {
    expect(() => couponPrize({ ...won, percent })).toThrow(RangeError)
  })
})
