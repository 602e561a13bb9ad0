import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decideModification, upgradeCharge, type Modification } from '#domain/billing/modification.ts'
import { forints, sum, type Money } from '#domain/billing/money.ts'
import { paidInAll, spansOfMonths, unusedPaid, type PaidSpan } from '#domain/billing/paid-time.ts'
import { BILLING_MONTH_MS, DAY_MS } from '#domain/billing/period.ts'
import { decideRenewal } from '#domain/billing/renewal.ts'

const START = Date.UTC(2027, 9, 20, 23, 17)
const RICH = forints(10n ** 12n)
type Server = { monthly: Money; expiresAtMs: number; spans: readonly PaidSpan[] }

/** A server whose first months were paid at a share of the list price. */
function bought(monthly: bigint, months: number, paidPercent = 100n): Server {
  const paidByMonth = Array.from({ length: months }, () => forints((monthly * paidPercent) / 100n))
  return {
    monthly: forints(monthly),
    expiresAtMs: START + months * BILLING_MONTH_MS,
    spans: spansOfMonths({ startMs: START, monthly: forints(monthly), paidByMonth }),
  }
}

function modify(server: Server, newMonthly: bigint, at: { nowMs: number; discountPercent?: number }): Modification {
  const decided = decideModification({
    server: { isTest: false, ...server },
    newMonthly: forints(newMonthly),
    isSameSize: false,
    available: RICH,
    discountPercent: 0,
    ...at,
  })
  if (!decided.ok) throw new Error(decided.code)
  return decided
}

const after = (server: Server, { monthly, spans }: Modification): Server => ({ ...server, monthly, spans })
const netOf = ({ charge, back }: Modification): bigint => charge.minor - back.minor

const PRICE = fc.bigInt({ min: 1n, max: 50_000n })
const MONTHS = fc.integer({ min: 1, max: 6 })
/** A moment of the first month. */
const MOMENT = fc.integer({ min: 0, max: BILLING_MONTH_MS - 1 })

it('T35: A -> B -> C -> A in one moment costs at most one forint of rounding, in either direction', () => {
  fc.assert(
    fc.property(fc.tuple(PRICE, PRICE, PRICE), MONTHS, MOMENT, ([a, b, c], months, moment) => {
      let server = bought(a, months)
      let net = 0n
      for (const next of [b, c, a]) {
        const step = modify(server, next, { nowMs: START + moment })
        net += netOf(step)
        server = after(server, step)
      }
      expect(net >= -1n && net <= 1n).toBe(true)
    }),
    { numRuns: 500 },
  )
})

it('T27: no way through sizes, discounts and days gives back more than was paid for what was unused', () => {
  const steps = fc.array(
    fc.record({ price: PRICE, wait: fc.nat({ max: 5 * DAY_MS }), discountPercent: fc.constantFrom(0, 5, 10, 15) }),
    {
      maxLength: 6,
    },
  )
  fc.assert(
    fc.property(PRICE, fc.constantFrom(0n, 50n, 100n), steps, (price, paidPercent, each) => {
      let server = bought(price, 2, paidPercent)
      let paid = paidInAll(server.spans, 'HUF').minor
      let back = 0n
      let nowMs = START
      for (const { price: next, wait, discountPercent } of each) {
        nowMs += wait
        const unused = unusedPaid(server.spans, { nowMs, currency: 'HUF' }).minor
        const step = modify(server, next, { nowMs, discountPercent })
        expect(step.back.minor <= unused).toBe(true)
        expect(step.charge.minor === 0n || step.back.minor === 0n).toBe(true)
        paid += step.charge.minor
        back += step.back.minor
        server = after(server, step)
      }
      expect(back <= paid).toBe(true)
      expect(paidInAll(server.spans, 'HUF').minor).toBe(paid - back)
    }),
  )
})

it('T34: an upgrade at the start costs the whole difference, at the end nothing, and never less for more time', () => {
  fc.assert(
    fc.property(PRICE, PRICE, fc.tuple(MOMENT, MOMENT), (price, more, [a, b]) => {
      const server = bought(price, 1)
      const charge = (moment: number): bigint => modify(server, price + more, { nowMs: START + moment }).charge.minor
      expect(charge(0)).toBe(more)
      expect(charge(BILLING_MONTH_MS - 1)).toBe(0n)
      expect(charge(Math.min(a, b)) >= charge(Math.max(a, b))).toBe(true)
    }),
  )
})

it('T34: where nothing was discounted a downgrade gives back the difference of the prices x the time left / 30 days', () => {
  fc.assert(
    fc.property(PRICE, PRICE, fc.tuple(MONTHS, MOMENT), (price, less, [months, moment]) => {
      const server = bought(price + less, months)
      const step = modify(server, price, { nowMs: START + moment })
      expect(step.back).toEqual(upgradeCharge(forints(less), server.expiresAtMs - START - moment, 0))
    }),
  )
})

it('T34: nobody gains by changing the size to and fro, at whatever moments of the days', () => {
  fc.assert(
    fc.property(
      PRICE,
      PRICE,
      fc.array(fc.tuple(MOMENT, MOMENT), { minLength: 1, maxLength: 12 }),
      (price, more, times) => {
        const small = bought(price, 1)
        const moments = times.flat().toSorted((a, b) => a - b)
        let server = small
        let [paid, back, heldMs, since] = [0n, 0n, 0, 0]
        for (const moment of moments) {
          const isLarge = server.monthly.minor > price
          const step = modify(server, isLarge ? price : price + more, { nowMs: START + moment })
          if (isLarge) heldMs += moment - since
          since = moment
          paid += step.charge.minor
          back += step.back.minor
          server = after(server, step)
        }
        // The part of the larger size that was held is paid for, but for half a forint of rounding at each change.
        const due = (more * BigInt(heldMs)) / BigInt(BILLING_MONTH_MS)
        expect(paid - back >= due - BigInt(moments.length)).toBe(true)
      },
    ),
  )
})

it('T36: a modification charges no new period: with a renewal it costs the same before and after it', () => {
  fc.assert(
    fc.property(PRICE, PRICE, fc.tuple(MONTHS, MOMENT), (price, more, [months, moment]) => {
      const nowMs = START + moment
      const renew = (server: Server): { total: Money; server: Server } => {
        const request = {
          server: { id: 's', isTest: false, ...server },
          months,
          nowMs,
          available: RICH,
          discountPercent: 0,
        }
        const renewed = decideRenewal(request)
        if (!renewed.ok) throw new Error(renewed.code)
        const { total, period, spans } = renewed
        return { total, server: { ...server, expiresAtMs: period.endMs, spans: [...server.spans, ...spans] } }
      }
      const start = bought(price, 1)
      const first = modify(start, price + more, { nowMs })
      const renewedAfter = renew(after(start, first))
      const renewedBefore = renew(start)
      const second = modify(renewedBefore.server, price + more, { nowMs })
      const one = sum([first.charge, renewedAfter.total], 'HUF').minor
      const other = sum([second.charge, renewedBefore.total], 'HUF').minor
      expect(one - other).toBe(0n)
      expect(renewedAfter.server.expiresAtMs).toBe(renewedBefore.server.expiresAtMs)
      // The unused rest of both is the same to a forint, so neither order is a way to get more back.
      const unused = [renewedAfter.server.spans, second.spans].map(
        (spans) => unusedPaid(spans, { nowMs, currency: 'HUF' }).minor,
      )
      expect((unused[0] ?? 0n) - (unused[1] ?? 0n)).toBe(0n)
    }),
  )
})

it('T33: the hour of summer time changes nothing: 30 x 24 h are 30 days on both days of the change', () => {
  for (const startMs of [Date.UTC(2027, 2, 27, 23), Date.UTC(2027, 9, 30, 22)]) {
    const monthly = forints(3000n)
    const spans = spansOfMonths({ startMs, monthly, paidByMonth: [monthly] })
    const server = { monthly, expiresAtMs: startMs + BILLING_MONTH_MS, spans }
    for (const days of [0, 1, 2, 29]) {
      const step = modify(server, 6000n, { nowMs: startMs + days * DAY_MS })
      expect(step.charge).toEqual(forints(BigInt(30 - days) * 100n))
    }
  }
})
