import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayAfter } from '#domain/kernel/calendar-day.ts'
import { dayIn, startOfDayMs } from '../../../../src/lib/format/day.ts'

test('a day begins at its midnight in the zone, also on days whose clock changes', () => {
  expect(startOfDayMs('2026-11-20', 'UTC')).toBe(Date.UTC(2026, 10, 20))
  expect(startOfDayMs('2026-03-29', 'Europe/Budapest')).toBe(Date.UTC(2026, 2, 28, 23))
  expect(startOfDayMs('2026-10-25', 'Europe/Budapest')).toBe(Date.UTC(2026, 9, 24, 22))
  // The clock there is put forward at midnight.
  expect(dayIn(startOfDayMs('2018-11-04', 'America/Sao_Paulo'), 'America/Sao_Paulo')).toBe('2018-11-04')
  expect(startOfDayMs('yesterday', 'UTC')).toBeNaN()
  expect(startOfDayMs('2026-13-40', 'UTC')).toBeNaN()
})

test('the beginning of a day is in it, and the moment before is not', () => {
  const zones = fc.constantFrom('UTC', 'Europe/Budapest', 'Asia/Kathmandu', 'America/Los_Angeles', 'Pacific/Auckland')
  fc.assert(
    fc.property(zones, fc.integer({ min: 0, max: 4_000 }), (zone, days) => {
      const day = dayAfter('2020-01-01', days)
      const startMs = startOfDayMs(day, zone)
      expect(dayIn(startMs, zone)).toBe(day)
      expect(dayIn(startMs - 1, zone)).toBe(dayAfter(day, -1))
    }),
  )
})
