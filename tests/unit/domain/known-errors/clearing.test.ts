import { expect, it } from 'vitest'
import { oldLogs } from '../../../../src/domain/known-errors/clearing.ts'
import type { LogEntry } from '../../../../src/domain/known-errors/clearing.ts'

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
const chosen = (entries: readonly LogEntry[], binLeftBytes = Number.POSITIVE_INFINITY) =>
  oldLogs([{ path: 'logs', entries }], binLeftBytes, NOW)

it('logs and reports of earlier runs are chosen, with the room that they take on the disk', () => {
  const folders = [
    { path: 'logs', entries: [log('2026-11-01-1.log.gz'), log('server.log.3', { size: 1 })] },
    { path: 'crash-reports', entries: [log('crash-2026-11-01_18.02.11-server.txt')] },
  ]
  expect(oldLogs(folders, Number.POSITIVE_INFINITY, NOW)).toEqual({
    paths: ['logs/2026-11-01-1.log.gz', 'logs/server.log.3', 'crash-reports/crash-2026-11-01_18.02.11-server.txt'],
    bytes: (12 + 4 + 12) * KIB,
  })
})

it('a log that is still written, another file, a folder and a link stay', () => {
  const kept = [
    log('latest.log'),
    log('2026-11-30-1.log', { mtimeMs: NOW - HOUR / 2 }),
    log('players.db'),
    log('notes.txt'),
    log('old.log', { kind: 'folder' }),
    log('link.log', { kind: 'link' }),
  ]
  expect(chosen(kept)).toEqual({ paths: [], bytes: 0 })
})

it('the oldest are chosen, and no more than the bin has room for', () => {
  const entries = [
    log('c.log', { mtimeMs: NOW - 2 * HOUR }),
    log('a.log', { mtimeMs: NOW - 9 * HOUR }),
    log('b.log', { mtimeMs: NOW - 5 * HOUR }),
  ]
  expect(chosen(entries, 24 * KIB)).toEqual({ paths: ['logs/a.log', 'logs/b.log'], bytes: 24 * KIB })
  expect(chosen(entries, 24 * KIB - 1).paths).toEqual(['logs/a.log'])
  expect(chosen(entries, -1)).toEqual({ paths: [], bytes: 0 })
})

it('one request has a thousand of them at most', () => {
  const entries = Array.from({ length: 1_100 }, (_, index) => log(`${index}.log`, { mtimeMs: index }))
  expect(chosen(entries).paths).toHaveLength(1_000)
  expect(chosen(entries).paths.at(-1)).toBe('logs/999.log')
})
