import { describe, expect, it } from 'vitest'
import { DAY_MS, isRentableMonths, paidPeriod, remainingDays } from '#domain/billing/period.ts'

const START = Date.UTC(2027, 0, 31, 12)

describe('billing period', () => {
  it('counts a month as 30 x 24 hours over month ends and daylight saving', () => {
    expect(paidPeriod(START, 2)).toEqual({ startMs: START, endMs: START + 60 * DAY_MS })
  })

  it('adds a renewal to the old expiry', () => {
    const first = paidPeriod(START, 1)
    expect(paidPeriod(first.endMs, 1)).toEqual({ startMs: first.endMs, endMs: START + 60 * DAY_MS })
  })

  it.each([0, 7, -1, 1.5, Number.NaN, '1', null])('refuses %s months', (months) => {
    expect(isRentableMonths(months)).toBe(false)
    expect(() => paidPeriod(START, months as number)).toThrow(RangeError)
  })

  it('rounds remaining days up and never below zero', () => {
    expect(remainingDays(START + 1, START)).toBe(1)
    expect(remainingDays(START + DAY_MS, START)).toBe(1)
    expect(remainingDays(START, START)).toBe(0)
    expect(remainingDays(START - DAY_MS, START)).toBe(0)
  })
})
