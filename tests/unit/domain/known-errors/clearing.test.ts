import { expect, it } from 'vitest'
import { oldLogs } from '../../../../src/domain/known-errors/clearing.ts'
import type { Clearing, LogEntry } from '../../../../src/domain/known-errors/clearing.ts'

const NOW = 1_800_000_000_000
const HOUR = 3_600_000
const KIB = 1_024
const log = (name: string, more: Partial<LogEntry> = {}): LogEntry => ({
  name,
  kind: 'file',
  size: 10 * KIB,
  mtimeMs: NOW - 48 * HOUR,
  ...more,
})
const SINCE = NOW - HOUR
const pathsOf = ({ logs }: Clearing) => logs.map(({ path }) => path)
const chosen = (
  entries: readonly LogEntry[],
  { binLeftBytes = Number.POSITIVE_INFINITY, sinceMs = SINCE }: { binLeftBytes?: number; sinceMs?: number | null } = {},
) => oldLogs([{ path: 'logs', entries }], binLeftBytes, sinceMs)

it('logs and reports of earlier runs are chosen, with the room that they take on the disk', () => {
  const folders = [
    { path: 'logs', entries: [log('2026-11-01-1.log.gz'), log('server.log.3', { size: 1 })] },
    { path: 'crash-reports', entries: [log('crash-2026-11-01_18.02.11-server.txt')] },
  ]
  const found = oldLogs(folders, Number.POSITIVE_INFINITY, SINCE)
  expect(pathsOf(found)).toEqual([
    'logs/2026-11-01-1.log.gz',
    'logs/server.log.3',
    'crash-reports/crash-2026-11-01_18.02.11-server.txt',
  ])
  expect(found.bytes).toBe((12 + 4 + 12) * KIB)
})

it('the log that games write, another file, a folder and a link stay', () => {
  const kept = [
    log('latest.log'),
    log('players.db'),
    log('notes.txt'),
    log('old.log', { kind: 'folder' }),
    log('link.log', { kind: 'link' }),
  ]
  expect(chosen(kept)).toEqual({ logs: [], bytes: 0 })
})

it('a log of the present run stays, however long that runs; without a run every log is an earlier one', () => {
  const entries = [log('error.log', { mtimeMs: SINCE }), log('old.log', { mtimeMs: SINCE - 1 })]
  expect(pathsOf(chosen(entries))).toEqual(['logs/old.log'])
  expect(pathsOf(chosen(entries, { sinceMs: null }))).toEqual(['logs/old.log', 'logs/error.log'])
})

it('the oldest are chosen, and no more than the bin has room for', () => {
  const entries = [
    log('c.log', { mtimeMs: NOW - 2 * HOUR }),
    log('a.log', { mtimeMs: NOW - 9 * HOUR }),
    log('b.log', { mtimeMs: NOW - 5 * HOUR }),
  ]
  expect(pathsOf(chosen(entries, { binLeftBytes: 24 * KIB }))).toEqual(['logs/a.log', 'logs/b.log'])
  expect(chosen(entries, { binLeftBytes: 24 * KIB }).bytes).toBe(24 * KIB)
  expect(pathsOf(chosen(entries, { binLeftBytes: 24 * KIB - 1 }))).toEqual(['logs/a.log'])
  expect(chosen(entries, { binLeftBytes: -1 })).toEqual({ logs: [], bytes: 0 })
})

it('one that does not fit leaves the room to the others', () => {
  const entries = [log('huge.log', { mtimeMs: NOW - 9 * HOUR, size: 900 * KIB }), log('small.log')]
  expect(pathsOf(chosen(entries, { binLeftBytes: 24 * KIB }))).toEqual(['logs/small.log'])
})

it('one click has a thousand of them at most', () => {
  const entries = Array.from({ length: 1_100 }, (_, index) => log(`${index}.log`, { mtimeMs: index }))
  expect(pathsOf(chosen(entries))).toHaveLength(1_000)
  expect(pathsOf(chosen(entries)).at(-1)).toBe('logs/999.log')
})
