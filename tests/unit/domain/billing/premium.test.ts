import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { unusedPaid } from '#domain/billing/paid-time.ts'
import { DAY_MS } from '#domain/billing/period.ts'
import {
  activeTier,
  buyPremium,
  discountAfterCoupon,
  dueSpinGrants,
  PREMIUM_DAYS,
  premiumLosses,
  SPECIFIED_BENEFITS,
  standingDiscount,
  type PremiumOffer,
  type PremiumOffers,
} from '#domain/billing/premium.ts'

const NOW = Date.UTC(2027, 9, 30, 12)
const offer = (tier: keyof PremiumOffers, priceFt: bigint): PremiumOffer => ({
  ...SPECIFIED_BENEFITS[tier],
  price: forints(priceFt),
  days: PREMIUM_DAYS,
})
const OFFERS: PremiumOffers = {
  none: offer('none', 0n),
  essentials: offer('essentials', 990n),
  maximus: offer('maximus', 1990n),
  ultimus: offer('ultimus', 2990n),
}
const request = (changes: Partial<Parameters<typeof buyPremium>[0]> = {}) => ({
  purchaseId: 'p1',
  tier: 'maximus' as unknown,
  offers: OFFERS,
  current: undefined,
  nowMs: NOW,
  available: forints(5000n),
  ...changes,
})
const HAD = { id: 'p0', tier: 'essentials', startedAtMs: NOW - 30 * DAY_MS, expiresAtMs: NOW } as const

describe('premium', () => {
  it.each([
    ['none', 3, 2, 0, 0],
    ['essentials', 7, 4, 1, 5],
    ['maximus', 10, 8, 2, 10],
    ['ultimus', 15, 12, 4, 15],
  ] as const)(
    '%s has %s backup slots, %s sub-users, %s spins and %s percent',
    (tier, backupSlots, subUsers, spins, discountPercent) => {
      expect(SPECIFIED_BENEFITS[tier]).toEqual({ backupSlots, subUsers, spins, discountPercent })
    },
  )

  it('lasts 30 days from the purchase and costs its price', () => {
    const bought = buyPremium(request())
    expect(bought).toMatchObject({
      ok: true,
      charge: forints(1990n),
      premium: { id: 'p1', tier: 'maximus', startedAtMs: NOW, expiresAtMs: NOW + 30 * DAY_MS },
    })
    if (!bought.ok) throw new Error(bought.code)
    expect(unusedPaid([bought.span], { nowMs: NOW + 15 * DAY_MS, currency: 'HUF' })).toEqual(forints(995n))
    expect(activeTier(bought.premium, NOW + 30 * DAY_MS - 1)).toBe('maximus')
    expect(activeTier(bought.premium, NOW + 30 * DAY_MS)).toBe('none')
    expect(activeTier(undefined, NOW)).toBe('none')
  })

  it.each(['none', 'gold', '', null, 2, 'toString'])('does not sell %j', (tier) => {
    expect(buyPremium(request({ tier }))).toEqual({ ok: false, code: 'TIER_UNKNOWN' })
  })

  it('tells who already has premium, and sells again from the expiry on', () => {
    expect(buyPremium(request({ current: { ...HAD, expiresAtMs: NOW + 1 } }))).toEqual({
      ok: false,
      code: 'ALREADY_HAS_PREMIUM',
    })
    expect(buyPremium(request({ current: HAD }))).toMatchObject({ ok: true })
  })

  it('says what is missing', () => {
    expect(buyPremium(request({ available: forints(1000n) }))).toEqual({
      ok: false,
      code: 'INSUFFICIENT_BALANCE',
      missing: forints(990n),
    })
    expect(buyPremium(request({ available: forints(1990n) }))).toMatchObject({ ok: true })
  })
})

describe('free spins of premium', () => {
  const premium = { id: 'p', tier: 'ultimus', startedAtMs: NOW, expiresAtMs: NOW + 90 * DAY_MS } as const

  it.each([
    [-1, 0],
    [0, 1],
    [29.9, 1],
    [30, 2],
    [60, 3],
    [90, 3],
    [500, 3],
  ])('have come after %s days %s times', (days, times) => {
    expect(dueSpinGrants(premium, 4, NOW + days * DAY_MS)).toHaveLength(times)
  })

  it('come once each whatever the clock does', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -100, max: 200 })), (days) => {
        const keys = days.flatMap((each) => dueSpinGrants(premium, 4, NOW + each * DAY_MS).map(({ key }) => key))
        expect(new Set(keys).size).toBeLessThanOrEqual(3)
      }),
    )
    expect(dueSpinGrants(premium, 0, NOW)).toEqual([])
  })
})

describe('what is lost', () => {
  const own = [
    { serverId: 's1', name: 'Lobby', backups: 12, subUsers: 3 },
    { serverId: 's2', name: 'Arena', backups: 2, subUsers: 2 },
  ]

  it('is listed with the customer’s own counts', () => {
    expect(premiumLosses({ from: SPECIFIED_BENEFITS.ultimus, to: SPECIFIED_BENEFITS.none, own })).toEqual([
      { benefit: 'backupSlots', from: 15, to: 3, above: [{ serverId: 's1', name: 'Lobby', count: 12, excess: 9 }] },
      { benefit: 'subUsers', from: 12, to: 2, above: [{ serverId: 's1', name: 'Lobby', count: 3, excess: 1 }] },
      { benefit: 'spins', from: 4, to: 0, above: [] },
      { benefit: 'discountPercent', from: 15, to: 0, above: [] },
    ])
  })

  it('is nothing where nothing gets less', () => {
    expect(premiumLosses({ from: SPECIFIED_BENEFITS.none, to: SPECIFIED_BENEFITS.maximus, own })).toEqual([])
  })
})

describe('what a tier took off other purchases', () => {
  const sale = (changes: Partial<Parameters<typeof standingDiscount>[0]> = {}) =>
    standingDiscount({
      discount: forints(1350n),
      paid: forints(7650n),
      returned: forints(0n),
      isHeld: true,
      ...changes,
    })

  it('stands as far as the sale stands', () => {
    expect(sale()).toEqual(forints(1350n))
    expect(sale({ returned: forints(3825n) })).toEqual(forints(675n))
    expect(sale({ returned: forints(7650n) })).toEqual(forints(0n))
    expect(sale({ paid: forints(0n) })).toEqual(forints(1350n))
    expect(sale({ paid: forints(0n), isHeld: false })).toEqual(forints(0n))
  })

  it.each([
    [undefined, 7650n, 1350n],
    [{ from: 'staff', type: 'percentage' }, 3825n, 675n],
    [{ from: 'staff', type: 'percentage' }, 0n, 0n],
    [{ from: 'staff', type: 'forint' }, 7150n, 1350n],
    [{ from: 'staff', type: undefined }, 3825n, 675n],
    [{ from: 'wheel' }, 3825n, 675n],
  ] as const)('is less by a coupon of percents or one that is gone: %o, paid %s, took off %s', (coupon, total, off) => {
    const order = { listed: forints(9000n), discount: forints(1350n), total: forints(total), coupon }
    expect(discountAfterCoupon(order)).toEqual(forints(off))
  })

  it('is all of an order that it made free', () => {
    const free = {
      listed: forints(900n),
      discount: forints(900n),
      total: forints(0n),
      coupon: { from: 'wheel' },
    } as const
    expect(discountAfterCoupon(free)).toEqual(forints(900n))
  })
})
