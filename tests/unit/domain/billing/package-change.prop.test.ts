import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forints, type Money } from '#domain/billing/money.ts'
import {
  decidePackageChange,
  isPlanDue,
  planAfterRenewal,
  type PackageChange,
  type PackagePlan,
} from '#domain/billing/package-change.ts'
import { spansOfMonths, type PaidSpan } from '#domain/billing/paid-time.ts'
import { BILLING_MONTH_MS, DAY_MS } from '#domain/billing/period.ts'
import { decideRenewal } from '#domain/billing/renewal.ts'

const START = Date.UTC(2027, 9, 20, 23, 17)
const RICH = forints(10n ** 12n)
const PRICES = [500n, 990n, 1990n, 1991n, 4990n]

/** A server in a package, as a customer changes and renews it. */
class Rented {
  nowMs = START
  packageAt = 1
  monthly = forints(PRICES[1] ?? 0n)
  expiresAtMs = START + BILLING_MONTH_MS
  plan: PackagePlan | null = null
  spans: readonly PaidSpan[] = spansOfMonths({ startMs: START, monthly: this.monthly, paidByMonth: [this.monthly] })
  paid = this.monthly.minor
  changes = 1n
  /** The list price of the sizes that it had, in forints x milliseconds of a month. */
  used = 0n

  change(at: number): PackageChange | undefined {
    const decided = decidePackageChange({
      server: { ...this, isTest: false, packageId: String(this.packageAt) },
      wanted: { packageId: String(at), monthly: this.priceOf(at) },
      nowMs: this.nowMs,
      available: RICH,
      discountPercent: 0,
    })
    if (!decided.ok) return undefined
    if (decided.at === 'renewal') {
      this.plan = { packageId: String(at), monthly: decided.monthly, fromMs: decided.startsAtMs }
      return decided
    }
    this.paid += decided.charge.minor
    this.changes += 1n
    this.spans = decided.spans
    this.monthly = decided.monthly
    this.packageAt = at
    this.plan = null
    return decided
  }

  renew(): void {
    const renewal = decideRenewal({
      server: { ...this, id: 's', isTest: false },
      months: 1,
      nowMs: this.nowMs,
      available: RICH,
      discountPercent: 0,
    })
    if (!renewal.ok) return
    this.plan = planAfterRenewal(this, renewal.period.startMs)
    this.paid += renewal.total.minor
    this.expiresAtMs = renewal.period.endMs
    this.begin()
  }

  /** Time passes, at most to the expiry; the job looks at the server at the moment when its plan is due. */
  wait(ms: number): void {
    let left = Math.min(ms, this.expiresAtMs - this.nowMs)
    while (left > 0) {
      const fromMs = this.plan?.fromMs ?? 0
      const step = this.plan && fromMs > this.nowMs ? Math.min(left, fromMs - this.nowMs) : left
      this.used += this.monthly.minor * BigInt(step)
      this.nowMs += step
      left -= step
      this.begin()
    }
  }

  private begin(): void {
    if (!this.plan || !isPlanDue(this, this.nowMs)) return
    this.packageAt = Number(this.plan.packageId)
    this.monthly = this.plan.monthly
    this.plan = null
  }

  private priceOf(at: number): Money {
    return forints(PRICES[at] ?? 0n)
  }
}

const STEP = fc.oneof(
  fc.record({ do: fc.constant('change' as const), at: fc.integer({ min: 0, max: PRICES.length - 1 }) }),
  fc.record({ do: fc.constant('renew' as const) }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 20 * DAY_MS }) }),
)

test('no way up and down through packages, renewals and days uses more than was paid for it', () => {
  fc.assert(
    fc.property(fc.array(STEP, { maxLength: 30 }), (steps) => {
      const server = new Rented()
      for (const step of steps) {
        if (step.do === 'change') {
          const change = server.change(step.at)
          // A charge is whole forints, never negative, and nothing is ever given back.
          if (change?.at === 'once') expect([change.charge.minor >= 0n, change.back.minor]).toEqual([true, 0n])
        } else if (step.do === 'renew') server.renew()
        else server.wait(step.ms)
      }
      // Each charge is rounded once, to the nearer forint.
      expect(server.used <= (server.paid + server.changes) * BigInt(BILLING_MONTH_MS)).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test('two steps up cost what one step costs, but for one forint of rounding', () => {
  const MOMENT = fc.integer({ min: 0, max: BILLING_MONTH_MS - 1 })
  fc.assert(
    fc.property(MOMENT, fc.integer({ min: 2, max: 3 }), (moment, between) => {
      const [straight, stepped] = [new Rented(), new Rented()]
      for (const server of [straight, stepped]) server.wait(moment)
      straight.change(4)
      stepped.change(between)
      stepped.change(4)
      const apart = straight.paid - stepped.paid
      expect(apart >= -1n && apart <= 1n).toBe(true)
    }),
  )
})
