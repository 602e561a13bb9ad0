import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DAY_MS } from '#domain/billing/period.ts'
import { withdrawalDeadlineMs } from '#domain/billing/withdrawal-deadline.ts'

const iso = (ms: number): string => new Date(ms).toISOString()

it.each([
  // Monday the 2nd, in Kiritimati Monday too: the 14th day after it is Monday the 16th, which ends last at 12:00 UTC of the 17th.
  ['2026-11-02T09:00:00Z', '2026-11-17T12:00:00.000Z'],
  // In Kiritimati it is Tuesday the 3rd already.
  ['2026-11-02T10:00:00Z', '2026-11-18T12:00:00.000Z'],
  // Saturday the 21st moves to Monday the 23rd.
  ['2026-11-07T09:00:00Z', '2026-11-24T12:00:00.000Z'],
  // Sunday the 22nd too.
  ['2026-11-08T09:00:00Z', '2026-11-24T12:00:00.000Z'],
  // Thursday the 24th of December moves over the holidays and the week-end to Monday the 28th.
  ['2026-12-10T09:00:00Z', '2026-12-29T12:00:00.000Z'],
  // New Year's Day 2027 is a Friday: to Monday the 4th.
  ['2026-12-18T09:00:00Z', '2027-01-05T12:00:00.000Z'],
])('a contract of %s can be withdrawn from until %s', (concluded, deadline) => {
  expect(iso(withdrawalDeadlineMs(Date.parse(concluded)))).toBe(deadline)
})

it('is never sooner than the end of the 14th day after the contract, wherever the customer is', () => {
  const moments = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2040, 0, 1) })
  fc.assert(
    fc.property(moments, fc.integer({ min: -12, max: 14 }), (concludedAtMs, offsetHours) => {
      const offsetMs = offsetHours * 3_600_000
      const localDay = Math.floor((concludedAtMs + offsetMs) / DAY_MS)
      expect(withdrawalDeadlineMs(concludedAtMs)).toBeGreaterThanOrEqual((localDay + 15) * DAY_MS - offsetMs)
    }),
  )
})

it('moves over the holidays it is told', () => {
  // Easter Monday 2027 is the 29th of March.
  const concluded = Date.parse('2027-03-15T09:00:00Z')
  expect(iso(withdrawalDeadlineMs(concluded))).toBe('2027-03-30T12:00:00.000Z')
  expect(iso(withdrawalDeadlineMs(concluded, ['2027-03-29']))).toBe('2027-03-31T12:00:00.000Z')
})

it('is at most nine days later than 14 whole days after the contract', () => {
  fc.assert(
    fc.property(fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2040, 0, 1) }), (concludedAtMs) => {
      const days = (withdrawalDeadlineMs(concludedAtMs) - concludedAtMs) / DAY_MS
      expect(days).toBeGreaterThan(14)
      expect(days).toBeLessThan(23)
    }),
  )
})
