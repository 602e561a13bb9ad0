import { expect, it } from 'vitest'
import { lineAt, momentStep } from '../../../../src/features/console/use-log-moment.ts'
import type { LogEntry } from '../../../../src/features/console/log/log-buffer.ts'

const line = (seq: number, atMs: number): LogEntry => ({
  kind: 'line',
  seq,
  atMs,
  stream: 'o',
  text: '',
  level: 'plain',
})
const entries: readonly LogEntry[] = [
  { kind: 'gap', seq: 9, count: 3 },
  line(10, 1_000),
  line(11, 2_000),
  { kind: 'echo', seq: 11, atMs: 2_500, text: 'list' },
  line(12, 3_000),
]
const more = { kind: 'more' } as const

it('finds the first line at or after a time, else the last one', () => {
  expect([
    lineAt(entries, 0)?.seq,
    lineAt(entries, 2_000)?.seq,
    lineAt(entries, 2_400)?.seq,
    lineAt(entries, 9_000)?.seq,
  ]).toEqual([10, 11, 12, 12])
  expect(lineAt([], 5)).toBeUndefined()
})

it('loads older lines until the time is among them, one request at a time', () => {
  expect(momentStep({ entries, older: more, behind: 0 }, 500)).toBe('older')
  expect(momentStep({ entries, older: { kind: 'asking' }, behind: 0 }, 500)).toBe('wait')
  expect(momentStep({ entries, older: { kind: 'end', lost: 4 }, behind: 0 }, 500)).toBe('show')
  expect(momentStep({ entries, older: more, behind: 0 }, 1_000)).toBe('show')
  expect(momentStep({ entries: [], older: more, behind: 0 }, 1_000)).toBe('older')
})

it('returns to the newest lines for a time after an older section', () => {
  expect(momentStep({ entries, older: more, behind: 40 }, 5_000)).toBe('end')
  expect(momentStep({ entries, older: more, behind: 40 }, 2_000)).toBe('show')
})
