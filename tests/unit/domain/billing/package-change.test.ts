import { describe, expect, test } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import {
  decidePackageChange,
  isPlanDue,
  isPlanPaid,
  planAfterRenewal,
  planStartMs,
  renewalMonthly,
  type PackagePlan,
  type PackageRequest,
} from '#domain/billing/package-change.ts'
import { BILLING_MONTH_MS, DAY_MS } from '#domain/billing/period.ts'

const START = Date.UTC(2026, 5, 1)
const EXPIRY = START + BILLING_MONTH_MS
const plan = (fromMs: number, packageId = 'small'): PackagePlan => ({ packageId, monthly: forints(500n), fromMs })

const request = (
  wanted: PackageRequest['wanted'],
  server: Partial<PackageRequest['server']> = {},
  rest: Partial<Omit<PackageRequest, 'server' | 'wanted'>> = {},
): PackageRequest => ({
  server: {
    isTest: false,
    packageId: 'medium',
    monthly: forints(1000n),
    expiresAtMs: EXPIRY,
    plan: null,
    spans: [],
    ...server,
  },
  wanted,
  nowMs: START + 10 * DAY_MS,
  available: forints(10_000n),
  discountPercent: 0,
  ...rest,
})
const large = { packageId: 'large', monthly: forints(2500n) }
const small = { packageId: 'small', monthly: forints(500n) }

describe('another package', () => {
  test('that costs more applies at once, for the difference over the remaining time', () => {
    expect(decidePackageChange(request(large))).toMatchObject({
      ok: true,
      at: 'once',
      days: 20,
      charge: forints(1000n),
    })
  })

  test('that costs more is discounted by the premium tier, like every upgrade', () => {
    expect(decidePackageChange(request(large, {}, { discountPercent: 10 }))).toMatchObject({ charge: forints(900n) })
  })

  test.each([
    ['less', 500n],
    ['the same', 1000n],
  ])('that costs %s waits for the end of the paid time, and nothing is refunded', (_, monthly) => {
    const decided = decidePackageChange(request({ packageId: 'small', monthly: forints(monthly) }))
    expect(decided).toEqual({ ok: true, at: 'renewal', monthly: forints(monthly), startsAtMs: EXPIRY })
  })

  test('that costs less can be planned for an expired server, which cannot be upgraded', () => {
    const late = { nowMs: EXPIRY + DAY_MS }
    expect(decidePackageChange(request(small, {}, late))).toMatchObject({ ok: true, at: 'renewal' })
    expect(decidePackageChange(request(large, {}, late))).toEqual({ ok: false, code: 'SERVER_EXPIRED' })
    expect(decidePackageChange(request(small, {}, { nowMs: EXPIRY + 3 * DAY_MS }))).toEqual({
      ok: false,
      code: 'SERVER_DELETED',
    })
  })

  test.each([
    ['a test server', 'TEST_SERVER', small, { isTest: true }],
    ['a server of its own size', 'NOT_IN_PACKAGE', small, { packageId: null }],
    ['the present package', 'NOTHING_CHANGED', { packageId: 'medium', monthly: forints(2000n) }, {}],
    ['the package that is planned already', 'NOTHING_CHANGED', small, { plan: plan(EXPIRY) }],
    ['any package while the planned one is paid', 'CHANGE_ALREADY_PAID', large, { plan: plan(EXPIRY - 1) }],
  ] as const)('is refused for %s', (_, code, wanted, server) => {
    expect(decidePackageChange(request(wanted, server))).toEqual({ ok: false, code })
  })

  test('that costs more than the balance is refused with the missing amount', () => {
    expect(decidePackageChange(request(large, {}, { available: forints(400n) }))).toEqual({
      ok: false,
      code: 'INSUFFICIENT_BALANCE',
      missing: forints(600n),
    })
  })
})

describe('a planned package', () => {
  test('is the price of the next period, and stays planned until a period at its price is paid', () => {
    const server = { monthly: forints(1000n), expiresAtMs: EXPIRY, plan: plan(EXPIRY) }
    expect(renewalMonthly(server)).toEqual(forints(500n))
    expect(isPlanPaid(server)).toBe(false)
    expect(isPlanPaid({ ...server, expiresAtMs: EXPIRY + BILLING_MONTH_MS })).toBe(true)
    // The renewal was withdrawn from.
    expect(isPlanPaid({ ...server, expiresAtMs: EXPIRY })).toBe(false)
  })

  test('is due when the paid time in the present package has ended and the next period is paid, and not before', () => {
    const paid = { expiresAtMs: EXPIRY + BILLING_MONTH_MS, plan: plan(EXPIRY) }
    expect(isPlanDue(paid, EXPIRY - 1)).toBe(false)
    expect(isPlanDue(paid, EXPIRY)).toBe(true)
    expect(isPlanDue({ ...paid, expiresAtMs: EXPIRY }, EXPIRY + DAY_MS)).toBe(false)
  })

  test('begins with the first renewed period, also where the paid time was shortened after it was planned', () => {
    const shortened = EXPIRY - 5 * DAY_MS
    const server = { expiresAtMs: shortened, plan: plan(EXPIRY) }
    expect(planStartMs(server.plan, shortened)).toBe(shortened)
    expect(planAfterRenewal(server, shortened)?.fromMs).toBe(shortened)
  })

  test('keeps its start when a second period is paid before it begins', () => {
    const server = { expiresAtMs: EXPIRY + BILLING_MONTH_MS, plan: plan(EXPIRY) }
    expect(planAfterRenewal(server, EXPIRY + BILLING_MONTH_MS)?.fromMs).toBe(EXPIRY)
  })
})
