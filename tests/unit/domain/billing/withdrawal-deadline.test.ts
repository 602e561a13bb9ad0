import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DAY_MS } from '#domain/billing/period.ts'
import { withdrawalDeadlineMs } from '#domain/billing/withdrawal-deadline.ts'

const iso = (ms: number): string => new Date(ms).toISOString()

it.each([
  // Monday the 2nd: the 14th day after it is Monday the 16th, which ends last at 12:00 UTC of the 17th.
  ['2026-11-02T13:00:00Z', '2026-11-17T12:00:00.000Z'],
  // In the morning of the 2nd it is still the 1st where days end last: Sunday the 15th, moved to Monday.
  ['2026-11-02T11:00:00Z', '2026-11-17T12:00:00.000Z'],
  // Saturday the 21st moves to Monday the 23rd.
  ['2026-11-07T13:00:00Z', '2026-11-24T12:00:00.000Z'],
  // Thursday the 24th of December moves over the holidays and the week-end to Monday the 28th.
  ['2026-12-10T13:00:00Z', '2026-12-29T12:00:00.000Z'],
  // New Year's Day 2027 is a Friday: to Monday the 4th.
  ['2026-12-18T13:00:00Z', '2027-01-05T12:00:00.000Z'],
])('a contract of %s can be withdrawn from until %s', (concluded, deadline) => {
  expect(iso(withdrawalDeadlineMs(Date.parse(concluded)))).toBe(deadline)
})

it('moves over the holidays it is told', () => {
  // Easter Monday 2027 is the 29th of March.
  const concluded = Date.parse('2027-03-15T13:00:00Z')
  expect(iso(withdrawalDeadlineMs(concluded))).toBe('2027-03-30T12:00:00.000Z')
  expect(iso(withdrawalDeadlineMs(concluded, ['2027-03-29']))).toBe('2027-03-31T12:00:00.000Z')
})

it('is never sooner than 14 whole days after the contract, and at most nine days later', () => {
  fc.assert(
    fc.property(fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2040, 0, 1) }), (concludedAtMs) => {
      const days = (withdrawalDeadlineMs(concludedAtMs) - concludedAtMs) / DAY_MS
      expect(days).toBeGreaterThan(14)
      expect(days).toBeLessThan(23)
    }),
  )
})
