import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import {
  bonusOfParts,
  bonusOfSpan,
  bucketsGivenBack,
  giveBackAmount,
  splitSpan,
  type FundedSpan,
} from '#domain/billing/paid-buckets.ts'
import { giveBack, spansOfMonths } from '#domain/billing/paid-time.ts'
import { BILLING_MONTH_MS } from '#domain/billing/period.ts'

const START = Date.UTC(2027, 3, 1)
const MONTHLY = forints(100_000n)
const AMOUNT = fc.bigInt({ min: 0n, max: 100_000n })

/** The months of one charge, of which `bonus` was bonus. */
function charge(paid: readonly bigint[], bonus: bigint, startMs = START): FundedSpan[] {
  let before = 0n
  const paidByMonth = paid.map((each) => forints(each))
  return spansOfMonths({ startMs, monthly: MONTHLY, paidByMonth }).map((span) => {
    const part = bonusOfSpan({ paid: span.paid, paidBefore: forints(before), chargeBonus: forints(bonus) })
    before += span.paid.minor
    return { ...span, bonus: part }
  })
}
const total = (parts: readonly bigint[]): bigint => parts.reduce((a, b) => a + b, 0n)

describe('what a span was paid with', () => {
  it('bonus is spent first: it paid the earliest months of its charge', () => {
    expect(charge([1000n, 1000n, 1000n], 1500n).map(({ bonus }) => bonus.minor)).toEqual([1000n, 500n, 0n])
    expect(charge([1000n, 1000n], 0n).map(({ bonus }) => bonus.minor)).toEqual([0n, 0n])
  })

  it('the bonus of the months is the bonus of the charge', () => {
    fc.assert(
      fc.property(fc.array(AMOUNT, { minLength: 1, maxLength: 6 }), fc.nat({ max: 100 }), (paid, percent) => {
        const bonus = (total(paid) * BigInt(percent)) / 100n
        expect(total(charge(paid, bonus).map((span) => span.bonus.minor))).toBe(bonus)
      }),
    )
  })

  it('I14: a month that bonus paid gives bonus back, whatever money paid other months of the server', () => {
    const spans = [...charge([3000n], 0n), ...charge([3000n], 3000n, START + BILLING_MONTH_MS)]
    const { spans: after } = giveBack(spans, { downTo: forints(0n), nowMs: START + BILLING_MONTH_MS })
    expect(bucketsGivenBack(spans, after, 'HUF')).toEqual({ money: forints(0n), bonus: forints(3000n) })
  })

  it('I14: however often and in whatever way money comes back, neither part exceeds what was paid out of it', () => {
    const step = fc.record({
      downTo: AMOUNT,
      amount: AMOUNT,
      byTime: fc.boolean(),
      days: fc.nat({ max: 180 }),
    })
    const paid = fc.array(AMOUNT, { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(paid, fc.nat({ max: 100 }), fc.array(step, { maxLength: 6 }), (each, percent, steps) => {
        const bonus = (total(each) * BigInt(percent)) / 100n
        let spans: readonly FundedSpan[] = charge(each, bonus)
        const back = { money: 0n, bonus: 0n }
        for (const { downTo, amount, byTime, days } of steps) {
          const nowMs = START + days * 86_400_000
          const given = byTime
            ? giveBack(spans, { downTo: forints(downTo), nowMs }).spans
            : giveBackAmount(spans, forints(amount), nowMs).spans
          const parts = bucketsGivenBack(spans, given, 'HUF')
          back.money += parts.money.minor
          back.bonus += parts.bonus.minor
          spans = spans.map((span, index) => ({ ...span, ...given[index] }))
        }
        expect(back.bonus <= bonus && back.money <= total(each) - bonus).toBe(true)
        expect(back.money + back.bonus).toBe(total(spans.map(({ returned }) => returned.minor)))
      }),
      { numRuns: 300 },
    )
  })
})

describe('an amount that staff give back', () => {
  it('comes out of the latest time first, and what nothing is left for is told', () => {
    const spans = charge([1000n, 1000n], 0n)
    const { spans: after, rest } = giveBackAmount(spans, forints(1300n), START)
    expect(after.map(({ returned }) => returned.minor)).toEqual([300n, 1000n])
    expect(rest.minor).toBe(0n)
    expect(giveBackAmount(after, forints(1000n), START).rest.minor).toBe(300n)
  })

  it('comes out of what is not used yet first, so that it is not given back again as unused', () => {
    // Two charges for the same month, as of an order and an upgrade; ten days of it are over.
    const spans = [...charge([900n], 0n), ...charge([300n], 0n)]
    const nowMs = START + BILLING_MONTH_MS / 3
    const { spans: after } = giveBackAmount(spans, forints(800n), nowMs)
    expect(after.map(({ returned }) => returned.minor)).toEqual([600n, 200n])
    expect(giveBack(after, { downTo: forints(0n), nowMs }).amount.minor).toBe(0n)
    expect(giveBackAmount(after, forints(350n), nowMs).spans.map(({ returned }) => returned.minor)).toEqual([
      900n,
      250n,
    ])
  })
})

it('the parts of a span add up to it, and neither gives back more than was paid for it', () => {
  fc.assert(
    fc.property(
      AMOUNT,
      fc.nat({ max: 100 }),
      fc.integer({ min: 1, max: BILLING_MONTH_MS - 1 }),
      (paid, percent, at) => {
        const [span] = charge([paid], 0n)
        if (!span) throw new Error('no span')
        const returned = (paid * BigInt(percent)) / 100n
        const [early, late] = splitSpan({ ...span, returned: forints(returned) }, START + at)
        expect(early.paid.minor + late.paid.minor).toBe(paid)
        expect(early.returned.minor + late.returned.minor).toBe(returned)
        expect(early.returned.minor <= early.paid.minor && late.returned.minor <= late.paid.minor).toBe(true)
        expect([early.endMs, late.startMs]).toEqual([START + at, START + at])
      },
    ),
  )
})

it('I14: bonus stays bonus when a span is parted, whatever of it came back before and comes back after', () => {
  const percent = fc.nat({ max: 100 })
  const moment = fc.integer({ min: 1, max: BILLING_MONTH_MS - 1 })
  fc.assert(
    fc.property(AMOUNT, percent, percent, moment, (paid, ofBonus, ofReturned, at) => {
      const bonus = (paid * BigInt(ofBonus)) / 100n
      const returned = (paid * BigInt(ofReturned)) / 100n
      const [span] = charge([paid], bonus)
      if (!span) throw new Error('no span')
      const before = bucketsGivenBack([span], [{ returned: forints(returned) }], 'HUF')
      const parts = splitSpan({ ...span, returned: forints(returned) }, START + at)
      const bonuses = bonusOfParts(parts, forints(bonus))
      expect(total(bonuses.map(({ minor }) => minor))).toBe(bonus)
      const funded = parts.map((part, index) => ({ ...part, bonus: bonuses[index] ?? forints(0n) }))
      const after = bucketsGivenBack(
        funded,
        funded.map((part) => ({ returned: part.paid })),
        'HUF',
      )
      expect(before.money.minor + after.money.minor).toBe(paid - bonus)
      expect(before.bonus.minor + after.bonus.minor).toBe(bonus)
    }),
  )
})
