import { expect, it } from 'vitest'
import type { CouponRow } from '#contracts/cms-api/sales-rows.ts'
import { checkCoupon } from '#domain/billing/coupon.ts'
import { forints } from '#domain/billing/money.ts'
import { couponOf } from '../../../../../control-plane/money/orders/find-coupon.ts'

const NOW = Date.UTC(2026, 10, 22)
const row = (columns: Partial<CouponRow>): CouponRow => ({
  id: 'c1',
  name: 'Spring',
  code: 'SPRING',
  type: 'percentage',
  amount: 10,
  usage: 'multiple',
  active: true,
  valid_from: null,
  valid_to: null,
  expires_at: null,
  maximum_price_ft: null,
  maximum_usage: null,
  service_ids: [],
  ...columns,
})

it.each<[string, Partial<CouponRow>, string | undefined]>([
  ['without a bound', {}, undefined],
  ['inactive', { active: false }, 'COUPON_INACTIVE'],
  ['of tomorrow', { valid_from: new Date(NOW + 1) }, 'COUPON_NOT_YET_VALID'],
  ['valid from now on', { valid_from: new Date(NOW) }, undefined],
  ['over', { valid_to: new Date(NOW) }, 'COUPON_EXPIRED'],
  ['expired', { expires_at: new Date(NOW) }, 'COUPON_EXPIRED'],
  ['valid for a moment longer', { valid_to: new Date(NOW + 1), expires_at: new Date(NOW + 1) }, undefined],
  ['for cheaper orders', { maximum_price_ft: 989 }, 'COUPON_TOTAL_TOO_HIGH'],
  ['for orders of this price', { maximum_price_ft: 990 }, undefined],
  ['for another service', { service_ids: ['s2'] }, 'COUPON_NOT_FOR_SERVICE'],
  ['for this service among others', { service_ids: ['s2', 's1'] }, undefined],
  ['used up', { maximum_usage: 3 }, 'COUPON_USED_UP'],
  ['for one use of a customer', { usage: 'once' }, 'COUPON_ALREADY_USED'],
])('T25: a row of a coupon that is %s is judged by the column that says so', (_name, columns, code) => {
  const judged = checkCoupon(couponOf(row(columns)), {
    areCouponsEnabled: true,
    userId: 'u1',
    serviceId: 's1',
    nowMs: NOW,
    usedCount: 3,
    usedByCustomer: 1,
    orderTotal: forints(990n),
  })
  expect(judged).toMatchObject(code === undefined ? { ok: true } : { ok: false, code })
})
