import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Coupon } from '#domain/billing/coupon.ts'
import { forints, sum } from '#domain/billing/money.ts'
import { priceOrderParts, type OrderPrice, type OrderPriceRequest } from '#domain/billing/order-price.ts'

const NOW = Date.UTC(2026, 10, 22)
const COUPON: Coupon = {
  id: 'c1',
  code: 'SPRING',
  type: 'percentage',
  amount: 10,
  isActive: true,
  usage: 'multiple',
  scope: 'order',
}
const typed = (changes: Partial<Coupon> = {}) => ({
  found: { ...COUPON, ...changes },
  context: { areCouponsEnabled: true, userId: 'u', serviceId: 's', nowMs: NOW, usedCount: 0, usedByCustomer: 0 },
})
const request = (changes: Partial<OrderPriceRequest> = {}): OrderPriceRequest => ({
  offer: { kind: 'package', pricePerMonth: forints(990n) },
  months: 1,
  chosen: {},
  currency: 'HUF',
  premiumPercent: 0,
  rateBasisPoints: 2700n,
  ...changes,
})

function priced(changes: Partial<OrderPriceRequest> = {}): OrderPrice {
  const price = priceOrderParts(request(changes))
  if (!price.ok) throw new Error(price.code)
  return price
}

describe('price of an order', () => {
  it('is the list price without discounts', () => {
    expect(priced({ months: 2 })).toMatchObject({
      total: forints(1980n),
      discount: forints(0n),
      parts: [{ kind: 'resource', key: 'package', amount: forints(1980n) }],
      paidByMonth: [forints(990n), forints(990n)],
    })
  })

  it('names every part: resources, premium discount, coupon', () => {
    const price = priced({ months: 3, premiumPercent: 5, coupon: typed() })
    // 2970 - 149 (5 %) = 2821, and 10 % of it are 282.
    expect(price.parts).toEqual([
      { kind: 'resource', key: 'package', quantity: 1, pricePerMonth: forints(990n), amount: forints(2970n) },
      { kind: 'premium-discount', percent: 5, amount: forints(-149n) },
      { kind: 'coupon', code: 'SPRING', amount: forints(-282n) },
    ])
    expect(price).toMatchObject({ total: forints(2539n), discount: forints(431n), couponId: 'c1' })
  })

  it('lets a prize reduce the first month alone', () => {
    const price = priced({ months: 3, coupon: typed({ scope: 'first-month', amount: 100 }) })
    expect(price.paidByMonth).toEqual([forints(0n), forints(990n), forints(990n)])
    expect(price.total).toEqual(forints(1980n))
  })

  it('T25: clamps a coupon that is worth more than the order at 0', () => {
    expect(priced({ coupon: typed({ type: 'forint', amount: 5000 }) })).toMatchObject({
      total: forints(0n),
      vat: { net: forints(0n), vat: forints(0n) },
    })
  })

  it('measures the maximum price after the premium discount and before the coupon', () => {
    const coupon = typed({ maxOrderTotal: forints(941n) })
    expect(priced({ premiumPercent: 5, coupon }).couponId).toBe('c1')
    expect(priceOrderParts(request({ coupon }))).toEqual({ ok: false, code: 'COUPON_TOTAL_TOO_HIGH' })
  })

  it('splits the tax by the rate of the customer', () => {
    expect(priced({ rateBasisPoints: 0n }).vat).toMatchObject({ net: forints(990n), vat: forints(0n) })
    expect(priced({ rateBasisPoints: 1900n }).vat).toMatchObject({ net: forints(832n), vat: forints(158n) })
  })

  it('T74: refuses what it does not know, and a coupon that does not exist', () => {
    const offer = {
      kind: 'resources',
      options: [{ key: 'ramMiB', min: 1, max: 4, step: 1, unitPrice: forints(100n) }],
    } as const
    expect(priceOrderParts(request({ offer, chosen: { ramMiB: 1, discount: 1 } }))).toMatchObject({
      code: 'INVALID_RESOURCES',
    })
    expect(priceOrderParts(request({ offer, chosen: { ramMiB: 0 } }))).toMatchObject({ code: 'INVALID_RESOURCES' })
    expect(priceOrderParts(request({ months: 9 }))).toMatchObject({ code: 'MONTHS_INVALID' })
    expect(priceOrderParts(request({ coupon: { ...typed(), found: undefined } }))).toEqual({
      ok: false,
      code: 'COUPON_NOT_FOUND',
    })
  })

  it('T71: has parts and months that make the total, which is never negative, whatever the discounts', () => {
    const couponOf = fc.record({
      type: fc.constantFrom('percentage' as const, 'forint' as const),
      amount: fc.integer({ min: 1, max: 100 }),
      scope: fc.constantFrom('order' as const, 'first-month' as const),
    })
    const prices = fc.bigInt({ min: 0n, max: 10n ** 6n })
    const many = fc.record({
      price: prices,
      months: fc.integer({ min: 1, max: 6 }),
      percent: fc.integer({ min: 0, max: 100 }),
    })
    fc.assert(
      fc.property(many, fc.option(couponOf, { nil: undefined }), ({ price, months, percent }, changes) => {
        const offer = { kind: 'package', pricePerMonth: forints(price) } as const
        const coupon = changes && typed(changes)
        const { total, parts, paidByMonth, vat, subtotal, discount } = priced({
          offer,
          months,
          premiumPercent: percent,
          coupon,
        })
        const amounts = parts.map(({ amount }) => amount)
        expect(sum(amounts, 'HUF')).toEqual(total)
        expect(sum(paidByMonth, 'HUF')).toEqual(total)
        expect(sum([vat.net, vat.vat], 'HUF')).toEqual(total)
        expect(sum([total, discount], 'HUF')).toEqual(subtotal)
        expect([...paidByMonth, total, discount].every(({ minor }) => minor >= 0n)).toBe(true)
      }),
    )
  })

  it('is the same price when it is asked again: the price shown is the price charged', () => {
    const asked = request({ months: 3, premiumPercent: 10, coupon: typed() })
    expect(priceOrderParts(asked)).toEqual(priceOrderParts(structuredClone(asked)))
  })
})
