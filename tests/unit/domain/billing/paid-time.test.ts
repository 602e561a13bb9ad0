import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forints, sum } from '#domain/billing/money.ts'
import { giveBack, paidInAll, spanTime, spanOfUpgrade, spansOfMonths, unusedPaid } from '#domain/billing/paid-time.ts'
import { BILLING_MONTH_MS, DAY_MS } from '#domain/billing/period.ts'

const START = Date.UTC(2027, 2, 1, 9)
const ZERO = forints(0n)
const currency = 'HUF'
const months = (monthly: bigint, ...paid: bigint[]) =>
  spansOfMonths({ startMs: START, monthly: forints(monthly), paidByMonth: paid.map((each) => forints(each)) })
const after = (days: number): number => START + days * DAY_MS

describe('paid time', () => {
  it('holds one span for each month, end to end', () => {
    const spans = months(990n, 495n, 990n)
    expect(spans.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [START, START + BILLING_MONTH_MS],
      [START + BILLING_MONTH_MS, START + 2 * BILLING_MONTH_MS],
    ])
    expect(paidInAll(spans, currency)).toEqual(forints(1485n))
  })

  it('counts the time that is left exactly, and never more than there is', () => {
    const [span] = months(990n, 990n)
    if (!span) throw new Error('no span')
    const wholeMs = BILLING_MONTH_MS
    expect(spanTime(span, START)).toEqual({ wholeMs, leftMs: wholeMs })
    expect(spanTime(span, START + 1)).toEqual({ wholeMs, leftMs: wholeMs - 1 })
    expect(spanTime(span, after(30))).toEqual({ wholeMs, leftMs: 0 })
    expect(spanTime(span, after(-9))).toEqual({ wholeMs, leftMs: wholeMs })
  })

  it.each([
    [0, 1485n],
    [15, 1238n],
    [30, 990n],
    [45, 495n],
    [60, 0n],
    [99, 0n],
  ])('knows after %s days what was paid and not used', (days, expected) => {
    expect(unusedPaid(months(990n, 495n, 990n), { nowMs: after(days), currency })).toEqual(forints(expected))
  })

  it('gives back what was paid above a price, and holds the rest', () => {
    const back = giveBack(months(1000n, 500n), { downTo: forints(250n), nowMs: after(15) })
    // Three quarters of the price, half of the month, at half price: 500 x 3/4 x 1/2.
    expect(back.amount).toEqual(forints(188n))
    expect(back.spans[0]).toMatchObject({ heldMonthly: forints(250n), returned: forints(188n), paid: forints(500n) })
    expect(unusedPaid(back.spans, { nowMs: after(15), currency })).toEqual(forints(63n))
  })

  it('gives back with all of the price at least what a part of it would: a month without room is no part of the sum', () => {
    const first = giveBack(months(2n, 1n, 1n), { downTo: forints(1n), nowMs: START })
    const again = spanOfUpgrade({
      nowMs: START,
      expiresAtMs: after(60),
      from: forints(1n),
      to: forints(2n),
      paid: forints(2n),
    })
    const spans = [...first.spans, again]
    const part = giveBack(spans, { downTo: forints(1n), nowMs: after(12) }).amount
    expect([first.amount, part, unusedPaid(spans, { nowMs: after(12), currency })]).toEqual([1n, 2n, 2n].map(forints))
  })

  it('gives back an upgrade at what was paid for it', () => {
    const upgrade = spanOfUpgrade({
      nowMs: after(10),
      expiresAtMs: after(30),
      from: forints(1000n),
      to: forints(2000n),
      paid: forints(333n),
    })
    const spans = [...months(1000n, 1000n), upgrade]
    expect(giveBack(spans, { downTo: forints(1000n), nowMs: after(10) }).amount).toEqual(forints(333n))
    expect(giveBack(spans, { downTo: forints(1500n), nowMs: after(20) }).amount).toEqual(forints(83n))
  })

  it('gives nothing back for a price that is higher, for time without a price, or for no time', () => {
    expect(giveBack(months(1000n, 1000n), { downTo: forints(2000n), nowMs: START }).amount).toEqual(ZERO)
    expect(giveBack(months(0n, 0n), { downTo: ZERO, nowMs: START }).amount).toEqual(ZERO)
    expect(giveBack([], { downTo: ZERO, nowMs: START })).toEqual({ amount: ZERO, spans: [] })
  })

  const SPANS = fc.tuple(
    fc.integer({ min: 1, max: 5000 }),
    fc.array(fc.integer({ min: 0, max: 5000 }), { minLength: 1, maxLength: 6 }),
  )
  const STEPS = fc.array(fc.tuple(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 0, max: 10 })), {
    maxLength: 12,
  })

  it('T27: gives back what was paid and no more, however many small steps are rounded up', () => {
    // Six steps of half a forint each round up to one, but three forints were paid.
    let spans = months(6n, 3n)
    const given = [5n, 4n, 3n, 2n, 1n, 0n].map((downTo) => {
      const back = giveBack(spans, { downTo: forints(downTo), nowMs: START })
      spans = [...back.spans]
      return back.amount.minor
    })
    expect(given).toEqual([1n, 1n, 1n, 0n, 0n, 0n])
  })

  it('T27: never gives back more than was paid for a span, nor more than its unused part', () => {
    fc.assert(
      fc.property(SPANS, STEPS, ([monthly, paid], steps) => {
        let spans: ReturnType<typeof months> = months(BigInt(monthly), ...paid.map(BigInt))
        let days = 0
        for (const [downTo, wait] of steps) {
          days += wait
          const before = unusedPaid(spans, { nowMs: after(days), currency })
          const back = giveBack(spans, { downTo: forints(BigInt(downTo)), nowMs: after(days) })
          expect(back.amount.minor >= 0n && back.amount.minor <= before.minor).toBe(true)
          spans = [...back.spans]
        }
        for (const span of spans) expect(span.returned.minor <= span.paid.minor).toBe(true)
      }),
    )
  })

  it('T34: the used and the unused part make the whole payment, at the start all is left and at the end nothing', () => {
    fc.assert(
      fc.property(SPANS, fc.integer({ min: 0, max: 200 }), ([monthly, paid], days) => {
        const spans = months(BigInt(monthly), ...paid.map(BigInt))
        const nowMs = after(days)
        const left = unusedPaid(spans, { nowMs, currency })
        const whole = sum(
          paid.map((each) => forints(BigInt(each))),
          currency,
        )
        expect(left.minor >= 0n && left.minor <= whole.minor).toBe(true)
        expect(unusedPaid(spans, { nowMs: START, currency })).toEqual(whole)
        expect(unusedPaid(spans, { nowMs: after(30 * paid.length), currency })).toEqual(ZERO)
        expect(paidInAll(giveBack(spans, { downTo: ZERO, nowMs }).spans, currency).minor + left.minor).toBe(whole.minor)
      }),
    )
  })
})
