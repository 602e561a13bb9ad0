import { describe, expect, it } from 'vitest'
import { KEPT_AFTER_EXPIRY_MS } from '#domain/billing/lifetime.ts'
import {
  decideModification,
  fixedSizeFault,
  upgradeCharge,
  type ModificationRequest,
} from '#domain/billing/modification.ts'
import { forints } from '#domain/billing/money.ts'
import { spansOfMonths } from '#domain/billing/paid-time.ts'
import { BILLING_MONTH_MS, DAY_MS } from '#domain/billing/period.ts'

const START = Date.UTC(2027, 2, 14, 8)
const EXPIRY = START + BILLING_MONTH_MS

type Changes = Partial<Omit<ModificationRequest, 'server'>> & { server?: Partial<ModificationRequest['server']> }

const request = ({ server, ...changes }: Changes = {}): ModificationRequest => ({
  server: {
    isTest: false,
    expiresAtMs: EXPIRY,
    monthly: forints(1000n),
    spans: spansOfMonths({ startMs: START, monthly: forints(1000n), paidByMonth: [forints(1000n)] }),
    ...server,
  },
  newMonthly: forints(1600n),
  isSameSize: false,
  nowMs: START + 20 * DAY_MS,
  available: forints(10_000n),
  discountPercent: 0,
  ...changes,
})

describe('modification', () => {
  it.each([
    [0, 600n],
    [0.5, 590n],
    [1, 580n],
    [20, 200n],
    [29.9, 2n],
  ])('after %s days costs the difference of the monthly prices x remaining time / 30 days: %s Ft', (days, charge) => {
    expect(decideModification(request({ nowMs: START + days * DAY_MS }))).toMatchObject({
      ok: true,
      charge: forints(charge),
      back: forints(0n),
      monthly: forints(1600n),
    })
  })

  it('takes the premium discount off and rounds once', () => {
    // 410 x 17 / 30 = 232.33, less 5 % = 220.72.
    expect(upgradeCharge(forints(410n), 17 * DAY_MS, 5)).toEqual(forints(221n))
    expect(upgradeCharge(forints(410n), 17 * DAY_MS, 0)).toEqual(forints(232n))
  })

  it('gives a smaller size its difference back', () => {
    expect(decideModification(request({ newMonthly: forints(400n) }))).toMatchObject({
      charge: forints(0n),
      back: forints(200n),
      days: 10,
    })
  })

  it('T27: gives back half of it to who paid half, whatever the list price became', () => {
    const spans = spansOfMonths({ startMs: START, monthly: forints(1000n), paidByMonth: [forints(500n)] })
    const smaller = decideModification(request({ server: { spans }, newMonthly: forints(400n), nowMs: START }))
    expect(smaller).toMatchObject({ back: forints(300n) })
    const raised = decideModification(
      request({ server: { spans, monthly: forints(9000n) }, newMonthly: forints(0n), nowMs: START }),
    )
    expect(raised).toMatchObject({ back: forints(500n) })
  })

  it('costs nothing between two sizes of one price', () => {
    expect(decideModification(request({ newMonthly: forints(1000n) }))).toMatchObject({
      ok: true,
      charge: forints(0n),
      back: forints(0n),
    })
  })

  it.each<[string, Changes]>([
    ['TEST_SERVER', { server: { isTest: true } }],
    ['SERVER_EXPIRED', { nowMs: EXPIRY }],
    ['SERVER_DELETED', { nowMs: EXPIRY + KEPT_AFTER_EXPIRY_MS }],
    ['NOTHING_CHANGED', { isSameSize: true }],
  ])('is refused with %s', (code, changes) => {
    expect(decideModification(request(changes))).toEqual({ ok: false, code })
  })

  it('is refused for every server of a package, before there is a price', () => {
    expect(fixedSizeFault({ packageId: 'small' })).toEqual({ ok: false, code: 'IN_PACKAGE' })
    expect(fixedSizeFault({ packageId: null })).toBeUndefined()
  })

  it('says what is missing', () => {
    expect(decideModification(request({ available: forints(150n) }))).toEqual({
      ok: false,
      code: 'INSUFFICIENT_BALANCE',
      missing: forints(50n),
    })
    expect(decideModification(request({ available: forints(200n) }))).toMatchObject({ ok: true })
  })
})
