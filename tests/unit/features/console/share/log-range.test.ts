import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LOG_SHARE_BOUNDS } from '#domain/servers/log-share.ts'
import type { LogEntry } from '@/features/console/log/log-buffer.ts'
import { logClock } from '@/features/console/log/log-clock.ts'
import { rangeAtFirst, rangeText, rangeWithin } from '@/features/console/share/log-range.ts'

const AT = Date.UTC(2026, 10, 20, 19, 42, 7)
const line = (seq: number, text = `line ${seq}`): LogEntry => ({
  kind: 'line',
  seq,
  atMs: AT,
  stream: 'o',
  text,
  level: 'plain',
})
const lines = (count: number) => Array.from({ length: count }, (_, at) => line(at + 11))

it('offers the selected lines, and the newest hundred without a selection', () => {
  expect(rangeAtFirst(lines(300), { from: 20, to: 22 })).toEqual({ first: 10, last: 12 })
  expect(rangeAtFirst(lines(300), null)).toEqual({ first: 201, last: 300 })
  expect(rangeAtFirst(lines(30), null)).toEqual({ first: 1, last: 30 })
  // Selected lines that the filter no longer shows.
  expect(rangeAtFirst(lines(30), { from: 500, to: 501 })).toEqual({ first: 1, last: 30 })
})

it('a range lies inside of the log, in order, and is never longer than a link can hold', () => {
  const typed = fc.oneof(fc.integer({ min: -5, max: 10_000 }), fc.constant(Number.NaN))
  fc.assert(
    fc.property(typed, typed, fc.integer({ min: 1, max: 9_000 }), (first, last, count) => {
      const range = rangeWithin({ first, last }, count)
      expect(range.first).toBeGreaterThanOrEqual(1)
      expect(range.last).toBeLessThanOrEqual(count)
      expect(range.last).toBeGreaterThanOrEqual(range.first)
      expect(range.last - range.first).toBeLessThan(LOG_SHARE_BOUNDS.lines)
      expect(rangeWithin(range, count)).toEqual(range)
    }),
  )
})

it('has times, colours, commands and gaps', () => {
  const red = `${String.fromCharCode(27)}[31mred`
  const entries: LogEntry[] = [
    line(1),
    line(2, red),
    { kind: 'echo', seq: 2, atMs: AT, text: 'stop' },
    { kind: 'gap', seq: 3, count: 7 },
    line(11),
  ]
  const words = { clock: logClock('UTC'), gapText: (count: number) => `${count} lines skipped` }
  expect(rangeText(entries, { first: 2, last: 4 }, words)).toBe(
    `2026-11-20 19:42:07  ${red}\n2026-11-20 19:42:07  > stop\n--- 7 lines skipped ---`,
  )
})
