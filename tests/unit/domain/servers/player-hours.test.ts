import fc from 'fast-check'
import { expect, it } from 'vitest'
import { firstHourMs, hourOf, hoursKeptSinceMs, lastHours } from '#domain/servers/player-hours.ts'

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 10, 20, 19, 42, 7)

it('the present hour is the last one, and hours without an answer are gaps', () => {
  const peaks = [
    { hourMs: Date.UTC(2026, 10, 20, 19), peak: 7 },
    { hourMs: Date.UTC(2026, 10, 20, 17), peak: 0 },
    { hourMs: Date.UTC(2026, 10, 20, 15), peak: 99 },
  ]
  expect(lastHours(peaks, 4, NOW)).toEqual([null, 0, null, 7])
})

it('each hour of a window stands at its own place, whatever the order', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(40), { maxLength: 30 }),
      fc.integer({ min: 0, max: HOUR - 1 }),
      fc.integer({ min: 1, max: 24 }),
      (ages, intoHourMs, count) => {
        const nowMs = hourOf(NOW) + intoHourMs
        const peaks = ages.map((age) => ({ hourMs: hourOf(nowMs) - age * HOUR, peak: age }))
        const shown = lastHours(peaks, count, nowMs)
        expect(shown).toHaveLength(count)
        expect(shown.toReversed()).toEqual(Array.from({ length: count }, (_, age) => (ages.includes(age) ? age : null)))
        expect(firstHourMs(count, nowMs)).toBe(hourOf(nowMs) - (count - 1) * HOUR)
      },
    ),
  )
})

it('a week and the day that has begun are kept', () => {
  expect(NOW - hoursKeptSinceMs(NOW)).toBeGreaterThan(8 * 24 * HOUR)
  expect(NOW - hoursKeptSinceMs(NOW)).toBeLessThan(8 * 24 * HOUR + HOUR)
})
