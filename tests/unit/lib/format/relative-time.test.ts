import { expect, test } from 'vitest'
import { relativeTime } from '../../../../src/lib/format/relative-time.ts'

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
