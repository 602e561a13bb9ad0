import { expect, test } from 'vitest'
import { relativeTime, timeUntil } from '../../../../src/lib/format/relative-time.ts'

const ago = (passedMs: number, locale = 'en') => relativeTime(1_000_000_000 - passedMs, 1_000_000_000, locale)

test('the largest whole unit is said, in the reader’s language', () => {
  expect(ago(5_000)).toBe('now')
  expect(ago(-5_000)).toBe('now')
  expect(ago(59_999)).toBe('now')
  expect(ago(119_000)).toBe('1 min. ago')
  expect(ago(3 * 3_600_000)).toBe('3 hr. ago')
  expect(ago(25 * 3_600_000)).toBe('yesterday')
  expect(ago(300_000, 'hu')).toBe('5 perccel ezelőtt')
  expect(ago(300_000, 'de')).toBe('vor 5 Min.')
})

test('the rest is said in the largest unit of which there are two', () => {
  const left = (ms: number, locale = 'en') => timeUntil(1_000_000_000 + ms, 1_000_000_000, locale)
  const hour = 3_600_000
  expect(left(7 * 24 * hour - 1)).toBe('in 6 days')
  expect(left(44 * hour)).toBe('in 44 hours')
  expect(left(24 * hour - 1)).toBe('in 23 hours')
  expect(left(2 * hour - 1)).toBe('in 119 minutes')
  expect([left(30_000), left(-hour)]).toEqual(['in 1 minute', 'in 1 minute'])
  expect([left(6 * 24 * hour, 'hu'), left(6 * 24 * hour, 'de')]).toEqual(['6 nap múlva', 'in 6 Tagen'])
})
