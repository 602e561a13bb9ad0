import { expect, test } from 'vitest'
import { openHistory, remember, splitCommands, step } from '../../../src/features/console/command-history.ts'
import { createConsoleStore } from '../../../src/features/console/console-store.ts'
import { countLevels, filterEntries, levelOf } from '../../../src/features/console/levels.ts'
import { liveWord } from '../../../src/features/console/live-word.ts'
import type { LogEntry } from '../../../src/features/console/log-buffer.ts'
import { sparkPath } from '../../../src/features/console/stats-samples.ts'
import { bytesParts, uptimeParts } from '../../../src/features/console/stats-words.ts'

const line = (text: string, stream: 'o' | 'e' = 'o', seq = 1): LogEntry => ({
  kind: 'line',
  seq,
  atMs: 0,
  stream,
  text,
})

test.each([
  ['[Server thread/ERROR]: Could not pass event', 'error'],
  ['[main/WARN] Deprecated flag', 'warning'],
  ['<Panni> error is my favourite word', 'chat'],
  ['[12:00:01 INFO]: <Panni> hi', 'chat'],
  ['Panni joined the game', 'join'],
  ['Preparing level "world"', 'plain'],
])('%s is %s', (text, level) => {
  expect(levelOf({ stream: 'o', text })).toBe(level)
})

test('a line of the error stream is at least a warning; chips count and filters leave what they say', () => {
  expect(levelOf({ stream: 'e', text: 'note' })).toBe('warning')
  const entries = [line('a'), line('b ERROR', 'o', 2), { kind: 'gap', seq: 3, count: 2 } as const, line('c', 'e', 4)]
  expect(countLevels(entries)).toEqual({ all: 3, warning: 1, error: 1, chat: 0 })
  expect(filterEntries(entries, 'all', '')).toBe(entries)
  expect(filterEntries(entries, 'error', '')).toHaveLength(1)
  expect(filterEntries(entries, 'all', 'B err')).toHaveLength(1)
})

test('history goes back and forth and keeps the line that was being written', () => {
  const history = remember(remember(remember(openHistory([]), 'a'), 'b'), 'b')
  expect(history.commands).toEqual(['a', 'b'])
  const back = step(history, -1, 'draft')
  expect(back?.shown).toBe('b')
  const further = back && step(back.history, -1, 'b')
  expect(further?.shown).toBe('a')
  expect(further && step(further.history, -1, 'a')).toBeNull()
  const forth = further && step(further.history, 1, 'a')
  const end = forth && step(forth.history, 1, 'b')
  expect(end?.shown).toBe('draft')
})

test('a pasted text is split into its commands', () => {
  expect(splitCommands('say a\r\n\n  \nsay b  \nsay c')).toEqual(['say a', 'say b', 'say c'])
})

test('the node’s states are read as the specification’s words, and unknown ones say nothing', () => {
  expect(liveWord('running')).toBe('running')
  expect(liveWord('startup_failed')).toBe('error on startup')
  expect(liveWord('creating')).toBe('installing')
  expect(liveWord('dancing')).toBeUndefined()
})

test('the store draws lines once a frame and keeps their order with what follows them', () => {
  const frames: (() => void)[] = []
  const store = createConsoleStore({ now: () => 0, soon: (run) => void frames.push(run) })
  let changes = 0
  store.subscribe(() => {
    changes += 1
  })
  store.receive({ event: 'console output', args: [[[1, 0, 'o', 'a']]] })
  store.receive({ event: 'console output', args: [[[2, 0, 'o', 'b']]] })
  expect([changes, frames.length]).toEqual([0, 1])
  store.receive({ event: 'dropped', args: [3] })
  store.receive({ event: 'console output', args: [[[6, 0, 'o', 'c']]] })
  expect(store.lastSeq()).toBe(6)
  expect(store.get().log.entries.map((entry) => (entry.kind === 'gap' ? -entry.count : entry.seq))).toEqual([
    1, 2, -3, 6,
  ])
})

test('statistics set the word and the network’s rate', () => {
  let now = 0
  const store = createConsoleStore({ now: () => now, soon: () => undefined })
  const look = (received: number) => ({
    state: 'running',
    cpu_absolute: 10,
    memory_bytes: 1,
    memory_limit_bytes: 2,
    disk_bytes: 3,
    disk_limit_bytes: 4,
    network: { rx_bytes: received, tx_bytes: 0 },
    uptime: 1_000,
  })
  store.receive({ event: 'stats', args: [JSON.stringify(look(1_000))] })
  now = 2_000
  store.receive({ event: 'stats', args: [JSON.stringify(look(5_000))] })
  store.receive({ event: 'stats', args: ['not json'] })
  expect(store.get().word).toBe('running')
  expect(store.get().samples.map((sample) => sample.networkBytesPerSecond)).toEqual([null, 2_000])
})

test('figures as people read them', () => {
  expect(bytesParts(5.58e9, 'hu')).toEqual({ value: '5,2', unit: 'GB' })
  expect(bytesParts(512 * 1_048_576, 'hu', 'GB')).toEqual({ value: '0,5', unit: 'GB' })
  expect(uptimeParts(3 * 86_400_000 + 4 * 3_600_000 + 61_000)).toEqual({ days: 3, hours: 4, minutes: 1, seconds: 1 })
  expect(sparkPath([1], { width: 100, height: 20 })).toBe('')
  expect(sparkPath([0, 10], { width: 59, height: 20 }, 10)).toBe('M58.0 19.0L59.0 1.0')
})
