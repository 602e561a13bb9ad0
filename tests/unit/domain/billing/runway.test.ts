import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { BILLING_MONTH_MS, DAY_MS } from '#domain/billing/period.ts'
import { decideRenewal } from '#domain/billing/renewal.ts'
import {
  chargesBefore,
  comingCharges,
  lastsUntil,
  missingFt,
  RUNWAY_HORIZON_MS,
  spendableFt,
} from '#domain/billing/runway.ts'
import type { RenewingServer } from '#domain/billing/runway.ts'

const NOW = Date.UTC(2026, 10, 22, 12)
const server = (id: string, days: number, monthlyFt: number): RenewingServer => ({
  id,
  monthly: forints(BigInt(monthlyFt)),
  expiresAtMs: NOW + days * DAY_MS,
})
const plain = { nowMs: NOW, discount: null }

describe('what other servers take before the day of one', () => {
  const own = server('m', 7, 3_000)
  test.each([
    ['nothing of its own', [own], 0n],
    ['what comes due before it, overdue too', [server('a', 6.9, 1_000), server('z', -1, 500)], 1_500n],
    ['what comes due with it and has a smaller id', [server('a', 7, 1_000), server('z', 7, 500)], 1_000n],
    ['nothing that comes due after it', [server('a', 7.1, 1_000)], 0n],
    ['each month that comes due before it', [server('a', -24, 1_000)], 2_000n],
    ['nothing for what is free', [server('a', 1, 0)], 0n],
  ])('%s', (_name, others, total) => {
    expect(chargesBefore(own, others, { nowMs: NOW, discountPercent: 0 })).toEqual(forints(total))
  })

  test('goes by the price with the discount of now', () => {
    expect(chargesBefore(own, [server('a', 1, 1_000)], { nowMs: NOW, discountPercent: 10 })).toEqual(forints(900n))
  })

  test('of servers of one day exactly those are paid for that one balance pays', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 6 }),
        fc.nat(20_000),
        (prices, ft) => {
          const all = prices.map((price, index) => server(String(index), 7, price))
          const needed = all.map(
            (each) => chargesBefore(each, all, { nowMs: NOW, discountPercent: 0 }).minor + each.monthly.minor,
          )
          const paid = all.filter((_, index) => (needed[index] ?? 0n) <= BigInt(ft))
          const sumFt = paid.reduce((total, { monthly }) => total + monthly.minor, 0n)
          expect(sumFt).toBeLessThanOrEqual(BigInt(ft))
          if (paid.length < all.length) expect(needed[paid.length]).toBeGreaterThan(BigInt(ft))
        },
      ),
    )
  })
})

describe('until when a balance lasts', () => {
  test('nothing that costs anything is due for ever, and no day is made up for it', () => {
    expect(lastsUntil(forints(5_000n), [], plain)).toEqual({ kind: 'nothing-due' })
    expect(lastsUntil(forints(0n), [server('free', 3, 0)], plain)).toEqual({ kind: 'nothing-due' })
  })

  test.each([
    ['an empty one to the first expiry', 0n, 10, 1_990n],
    ['one that lacks a forint to the first expiry', 1_989n, 10, 1n],
    ['the price of a month for a month more', 1_990n, 40, 1_990n],
    ['five months and a bit', 10_000n, 160, 1_940n],
  ])('%s', (_name, balance, days, missing) => {
    expect(lastsUntil(forints(balance), [server('a', 10, 1_990)], plain)).toEqual({
      kind: 'until',
      serverId: 'a',
      atMs: NOW + days * DAY_MS,
      missing: forints(missing),
    })
  })

  test('several servers take their turns by their days, and what is overdue is short today', () => {
    const servers = [server('b', 7, 1_000), server('a', 3, 1_500), server('c', 20, 900)]
    const short = { kind: 'until', serverId: 'c', atMs: NOW + 20 * DAY_MS, missing: forints(400n) }
    expect(lastsUntil(forints(3_000n), servers, plain)).toEqual(short)
    expect(lastsUntil(forints(0n), [server('late', -2, 900)], plain)).toMatchObject({ kind: 'until', atMs: NOW })
  })

  test('a discount counts for the months that are renewed while it runs', () => {
    const untilMs = NOW + 35 * DAY_MS
    const charges = comingCharges([server('a', 5, 1_000)], {
      nowMs: NOW,
      untilMs: NOW + 70 * DAY_MS,
      discount: { percent: 10, untilMs },
    })
    // The second month is renewed on day 34, a day before the discount ends; the third after it.
    expect(charges.map(({ amount }) => amount.minor)).toEqual([900n, 900n, 1_000n])
  })

  test('money for longer than anybody is told is said so', () => {
    const lasts = lastsUntil(forints(1_000_000n), [server('a', 1, 500)], plain)
    expect(lasts).toEqual({ kind: 'beyond', atMs: NOW + RUNWAY_HORIZON_MS })
  })
})

describe('what can be spent', () => {
  test.each([
    [{ balanceFt: 5_000, debtFt: 0 }, 0, 5_000],
    [{ balanceFt: 0, debtFt: 700 }, 0, 0],
    [{ balanceFt: 300, debtFt: 700 }, 500, 0],
    [{ balanceFt: 300, debtFt: 700 }, 700, 300],
    [{ balanceFt: 0, debtFt: 700 }, 5_000, 4_300],
  ])('of %o with %i more is %i', (account, extraFt, expected) => {
    expect(spendableFt(account, extraFt)).toBe(expected)
  })
})

test('the missing amount has to come in, and not a forint more', () => {
  expect(missingFt({ balanceFt: 500, debtFt: 0 }, 990)).toBe(490)
  expect(missingFt({ balanceFt: 1_000, debtFt: 0 }, 990)).toBe(0)
  expect(missingFt({ balanceFt: 0, debtFt: 700 }, 990)).toBe(1_690)
  const account = fc.record({ balanceFt: fc.nat(5_000), debtFt: fc.nat(5_000) })
  fc.assert(
    fc.property(account, fc.integer({ min: 1, max: 5_000 }), (one, totalFt) => {
      const missing = missingFt(one, totalFt)
      expect(spendableFt(one, missing)).toBeGreaterThanOrEqual(totalFt)
      if (missing > 0) expect(spendableFt(one, missing - 1)).toBeLessThan(totalFt)
    }),
  )
})

const servers = fc.array(
  fc.record({ days: fc.double({ min: -2, max: 60, noNaN: true }), monthlyFt: fc.integer({ min: 0, max: 20_000 }) }),
  { maxLength: 8 },
)
const wallets = fc.integer({ min: 0, max: 500_000 })
const discounts = fc.option(fc.record({ percent: fc.integer({ min: 0, max: 99 }), days: fc.nat(400) }), { nil: null })
const made = (list: readonly { days: number; monthlyFt: number }[]) =>
  list.map(({ days, monthlyFt }, at) => server(`s${at}`, Math.round(days * 1_000) / 1_000, monthlyFt))

/** The billing run by hand: day by day the earliest server is renewed as `decideRenewal` does it, until one cannot be paid. */
const play = (
  balanceFt: number,
  list: readonly RenewingServer[],
  discount: { percent: number; untilMs: number } | null,
): number | null => {
  let left = BigInt(balanceFt)
  const running = list.filter(({ monthly }) => monthly.minor > 0n).map((each) => ({ ...each }))
  for (;;) {
    const [next] = running.toSorted((a, b) => a.expiresAtMs - b.expiresAtMs || (a.id < b.id ? -1 : 1))
    if (!next || next.expiresAtMs > NOW + RUNWAY_HORIZON_MS) return null
    const nowMs = Math.max(NOW, next.expiresAtMs - DAY_MS)
    const percent = discount && nowMs < discount.untilMs ? discount.percent : 0
    const decided = decideRenewal({
      server: { ...next, isTest: false },
      months: 1,
      nowMs,
      available: forints(left),
      discountPercent: percent,
    })
    // A server that a discount makes free is not renewed, and no money is missing for it.
    const isFree = !decided.ok && decided.code === 'NOT_RENEWABLE'
    if (!decided.ok && !isFree) return Math.max(NOW, next.expiresAtMs)
    left -= decided.ok ? decided.total.minor : 0n
    next.expiresAtMs += BILLING_MONTH_MS
  }
}

describe('properties of the day up to which a balance lasts', () => {
  test('it is the day at which renewing month by month fails first', () => {
    fc.assert(
      fc.property(wallets, servers, discounts, (balanceFt, list, off) => {
        const all = made(list)
        const discount = off && { percent: off.percent, untilMs: NOW + off.days * DAY_MS }
        const lasts = lastsUntil(forints(BigInt(balanceFt)), all, { nowMs: NOW, discount })
        const played = play(balanceFt, all, discount)
        expect(lasts.kind === 'until' ? lasts.atMs : null).toBe(played)
      }),
      { numRuns: 150 },
    )
  })

  test('more money never lasts shorter, another server never longer', () => {
    const until = (balanceFt: number, list: readonly RenewingServer[]) => {
      const lasts = lastsUntil(forints(BigInt(balanceFt)), list, plain)
      return lasts.kind === 'until' ? lasts.atMs : Number.POSITIVE_INFINITY
    }
    fc.assert(
      fc.property(wallets, wallets, servers, (balanceFt, moreFt, list) => {
        const all = made(list)
        expect(until(balanceFt + moreFt, all)).toBeGreaterThanOrEqual(until(balanceFt, all))
        expect(until(balanceFt, [...all, server('z', 5, 1_000)])).toBeLessThanOrEqual(until(balanceFt, all))
      }),
      { numRuns: 150 },
    )
  })

  test('the amounts that are due up to then, and the missing one, come to the balance', () => {
    fc.assert(
      fc.property(wallets, servers, (balanceFt, list) => {
        const all = made(list)
        const lasts = lastsUntil(forints(BigInt(balanceFt)), all, plain)
        if (lasts.kind !== 'until') return
        const charges = comingCharges(all, { nowMs: NOW, untilMs: NOW + RUNWAY_HORIZON_MS, discount: null })
        let dueFt = 0n
        for (const { amount } of charges) {
          dueFt += amount.minor
          if (dueFt > BigInt(balanceFt)) break
        }
        expect(dueFt - BigInt(balanceFt)).toBe(lasts.missing.minor)
        expect(lasts.missing.minor).toBeGreaterThan(0n)
      }),
    )
  })

  test('months of one server are 30 days apart', () => {
    const charges = comingCharges([server('a', 2, 10)], { ...plain, untilMs: NOW + 100 * DAY_MS })
    expect(charges.map(({ atMs, round }) => atMs - round * BILLING_MONTH_MS)).toEqual(Array(4).fill(NOW + 2 * DAY_MS))
  })
})
