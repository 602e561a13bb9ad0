import { expect, it } from 'vitest'
import { redeemSpinCoupon, type SpinCoupon, type SpinCouponUse } from '#domain/prizes/spin-coupon.ts'

const COUPON: SpinCoupon = { id: 'c', code: 'SPIN', maxUses: 2, spins: 3, isActive: true, expiresAtMs: 100 }
const USE: SpinCouponUse = { areCouponsEnabled: true, nowMs: 99, usedCount: 1, usedByCustomer: 0 }

it('gives its spins while there are uses left', () => {
  expect(redeemSpinCoupon(COUPON, USE)).toEqual({ ok: true, spins: 3 })
})

it.each([
  ['COUPONS_DISABLED', {}, { areCouponsEnabled: false }],
  ['COUPON_INACTIVE', { isActive: false }, {}],
  ['COUPON_EXPIRED', {}, { nowMs: 100 }],
  ['COUPON_ALREADY_USED', {}, { usedByCustomer: 1 }],
  ['COUPON_USED_UP', {}, { usedCount: 2 }],
])('is refused with %s', (code, changes, use) => {
  expect(redeemSpinCoupon({ ...COUPON, ...changes }, { ...USE, ...use })).toEqual({ ok: false, code })
})

it('that nobody made does not exist', () => {
  expect(redeemSpinCoupon(undefined, USE)).toEqual({ ok: false, code: 'COUPON_NOT_FOUND' })
})
