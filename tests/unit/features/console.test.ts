import { expect, test } from 'vitest'
import { PANEL_LIMITS } from '../../../src/contracts/panel/messages.ts'
import type { ConsoleLine } from '../../../src/contracts/panel/messages.ts'
import { openHistory, remember, splitCommands, step } from '../../../src/features/console/commands/command-history.ts'
import { createConsoleStore } from '../../../src/features/console/console-store.ts'
import { dialogTrouble } from '../../../src/features/console/connection-dialog.tsx'
import { liveWordOf, panelWord } from '../../../src/features/console/panel-word.ts'
import { afterEnd, endKind } from '../../../src/features/console/console-notes.tsx'
import { freshErrors } from '../../../src/features/console/log/error-summary.tsx'
import { countLevels, filterEntries } from '../../../src/features/console/log/levels.ts'
import { levelOf } from '../../../src/features/console/log/line-level.ts'
import { liveWord } from '../../../src/features/console/live-word.ts'
import { commandBlock } from '../../../src/features/console/log-box.tsx'
import { appendLines, emptyLog } from '../../../src/features/console/log/log-buffer.ts'
import { sparkPath } from '../../../src/features/console/stats/stats-samples.ts'
import { bytesParts, uptimeParts } from '../../../src/features/console/stats/stats-words.ts'
import { olderState } from '../../../src/features/console/use-older.ts'
import { freshLines, linesAfter } from '../../../src/features/console/log/use-tail.ts'

const { entries } = appendLines(emptyLog, [
  [1, 0, 'o', 'a'],
  [2, 0, 'o', 'b ERROR'],
  [5, 0, 'e', 'c'],
  [6, 0, 'e', 'Could not'],
])

test('a line of the error stream is at least a warning; chips count and filters leave what they say', () => {
  expect(levelOf({ stream: 'e', text: 'note' })).toBe('warning')
  expect(countLevels(entries)).toEqual({ all: 4, warning: 1, error: 2, chat: 0 })
  expect(filterEntries(entries, 'all')).toBe(entries)
  expect(filterEntries(entries, 'error').map((entry) => entry.seq)).toEqual([2, 6])
})

test('lines that came while the reader was above are counted, and errors apart', () => {
  expect([linesAfter(entries, 0), linesAfter(entries, 2), linesAfter(entries, 6)]).toEqual([4, 2, 0])
  const known = { lastSeq: 20, behind: 9 }
  // Lines that are not held count too; the numbers tell of lines that were seen and are held no longer.
  expect([freshLines(entries, 2, known), freshLines(entries, 12, known)]).toEqual([11, 8])
  expect(freshLines(entries, 2, { lastSeq: 6, behind: 0 })).toBe(2)
  expect([freshErrors(entries, 0), freshErrors(entries, 2), freshErrors(entries, 6)]).toEqual([2, 1, 0])
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

test('history holds at least 32 commands, the newest of many', () => {
  const many = Array.from({ length: 80 }, (_, index) => `say ${index}`).reduce(remember, openHistory([]))
  expect(many.commands.length).toBeGreaterThanOrEqual(32)
  expect(many.commands.at(-1)).toBe('say 79')
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

const newStore = (now: () => number = () => 0) => {
  const frames: (() => void)[] = []
  return { frames, store: createConsoleStore({ now, soon: (run) => void frames.push(run) }) }
}

test('the store draws lines once a frame and keeps their order with what follows them', () => {
  const { frames, store } = newStore()
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

test('while nobody looks at the log its lines wait unread, and none is lost', () => {
  const { frames, store } = newStore()
  let seen = 0
  store.watch(() => {
    seen += 1
  })
  store.receive({ event: 'console output', args: [[[1, 0, 'o', 'a']]] })
  store.receive({ event: 'status', args: ['running'] })
  store.receive({ event: 'console output', args: [[[2, 0, 'o', 'b']]] })
  // The state is new for the rest of the panel; no frame is drawn for lines.
  expect([frames.length, seen, store.get().word, store.get().log.entries.length]).toEqual([0, 1, 'running', 0])
  const stop = store.subscribe(() => undefined)
  expect([seen, store.get().log.entries.length]).toEqual([1, 2])
  stop()
  store.receive({ event: 'console output', args: [[[3, 0, 'o', 'c']]] })
  store.receive({ event: 'dropped', args: [2] })
  // A lost line is lost after the line before it.
  expect(store.get().log.entries.map((entry) => (entry.kind === 'gap' ? -entry.count : entry.seq))).toEqual([
    1, 2, 3, -2,
  ])
})

test('the live state wins over the list, the list over nothing, and nothing means installing', () => {
  const live = (kind: 'live' | 'connecting', word: 'running' | undefined) => liveWordOf({ link: { kind }, word })
  expect(panelWord(live('live', 'running'), { status: 'offline', suspended: false })).toBe('running')
  // Without a link the last state may be long over.
  expect(panelWord(live('connecting', 'running'), { status: 'nodeoffline', suspended: false })).toBe('nodeoffline')
  expect(panelWord(live('live', undefined), { status: 'offline', suspended: false })).toBe('offline')
  expect(panelWord(undefined, undefined)).toBe('installing')
  expect(panelWord(live('live', 'running'), { status: 'suspended', suspended: true })).toBe('suspended')
})

test('of a machine that is away the dialog says so, and not that the connection is bad', () => {
  const waiting = (attempt: number) => ({ kind: 'waiting', trouble: 'connection', attempt }) as const
  expect([2, 3].map((attempt) => dialogTrouble(waiting(attempt), true))).toEqual([undefined, 'maintenance'])
  expect(dialogTrouble(waiting(3), false)).toBe('connection')
  expect(dialogTrouble({ kind: 'waiting', trouble: 'slow', attempt: 3 }, true)).toBe('slow')
  expect(dialogTrouble({ kind: 'refused', trouble: 'invalid' }, true)).toBe('invalid')
})

test('a page that draws no frames does not gather lines without end', () => {
  const { store } = newStore()
  for (let seq = 1; seq <= 2_001; seq += 1) store.receive({ event: 'console output', args: [[[seq, 0, 'o', 'a']]] })
  expect(store.get().log.lastSeq).toBe(2_001)
})

test('older lines: one question at a time, until the node says that nothing older is kept', () => {
  const { store } = newStore()
  expect(olderState(store.get()).kind).toBe('none')
  store.setLink({ kind: 'live' })
  store.receive({ event: 'console output', args: [[[50, 0, 'o', 'a']]] })
  store.lastSeq()
  expect(olderState(store.get()).kind).toBe('more')
  store.asked(50)
  expect(olderState(store.get()).kind).toBe('asking')
  store.receive({ event: 'throttled', args: ['send history'] })
  expect(olderState(store.get()).kind).toBe('more')
  const page = { before: 50, lines: [[48, 0, 'o', 'b'] as [number, number, 'o', string]], isStart: true, lost: 47 }
  store.receive({ event: 'console history', args: [page] })
  expect(olderState(store.get())).toEqual({ kind: 'end', lost: 47 })
  // The beginning is pushed out by what comes: then there is more above again.
  const limit = PANEL_LIMITS.linesShown
  const flood = [...Array(limit).keys()].map((at): ConsoleLine => [at + 51, 0, 'o', 'c'])
  expect(store.get().log.entries.map((entry) => (entry.kind === 'gap' ? -entry.count : entry.seq))).toEqual([
    48, -1, 50,
  ])
  store.receive({ event: 'console output', args: [flood] })
  store.lastSeq()
  expect(olderState(store.get()).kind).toBe('more')
})

test('an unasked end carries how it came; a new start forgets it', () => {
  const { store } = newStore()
  store.receive({ event: 'status', args: ['crashed', { code: 137, signal: null, oom: true }] })
  expect([store.get().word, endKind(store.get().end)]).toEqual(['crashed', 'memory'])
  store.receive({ event: 'status', args: ['starting'] })
  expect([store.get().word, store.get().end]).toEqual(['starting', null])
  expect(endKind({ code: 1, signal: null })).toBe('code')
  expect(endKind({ code: null, signal: 'SIGSEGV' })).toBe('signal')
  expect(endKind({ code: null, signal: null })).toBe('unknown')
})

test('after an unasked end it is told what comes next, as far as the node has said it', () => {
  const end = { code: 1, signal: null }
  expect(afterEnd('crashed', null)).toBeNull()
  expect(afterEnd('crashed', end)).toBeNull()
  expect(afterEnd('crashed', { ...end, restartInMs: 0 })).toBe('restarts')
  expect(afterEnd('crashed', { ...end, restartInMs: null })).toBe('staysDown')
  expect(afterEnd('error on startup', { ...end, restartInMs: null })).toBeNull()
  expect(afterEnd('error on startup', { ...end, restartInMs: 5_000 })).toBe('restarts')
})

test('until when a crashed server waits for its next start is known by the clock of this page', () => {
  let nowMs = 1_000
  const { store } = newStore(() => nowMs)
  const end = { code: 1, signal: null }
  store.receive({ event: 'status', args: ['crashed', { ...end, restartInMs: 15_000 }] })
  expect(store.get().restartAtMs).toBe(16_000)
  // A page that comes back asks anew, and the node says what is left.
  nowMs = 9_000
  store.receive({ event: 'status', args: ['crashed', { ...end, restartInMs: 7_000 }] })
  expect(store.get().restartAtMs).toBe(16_000)
  store.receive({ event: 'status', args: ['crashed', { ...end, restartInMs: null }] })
  expect(store.get().restartAtMs).toBe(0)
  store.receive({ event: 'status', args: ['starting'] })
  expect(store.get().restartAtMs).toBe(0)
})

test('a reader above the end keeps what they read, and goes to the end by a new question', () => {
  const { store } = newStore()
  const lineOf = (seq: number): ConsoleLine => [seq, 0, 'o', `line ${seq}`]
  const limit = PANEL_LIMITS.linesShown
  store.setLink({ kind: 'live' })
  store.receive({ event: 'console output', args: [[...Array(limit).keys()].map((at) => lineOf(at + 101))] })
  store.lastSeq()
  store.hold(true)
  store.receive({ event: 'console output', args: [[lineOf(limit + 101)]] })
  expect([store.lastSeq(), store.get().log.entries[0]?.seq, store.get().log.behind]).toEqual([limit + 101, 101, 1])
  expect(olderState(store.get()).kind).toBe('more')
  const page = { before: 101, lines: [lineOf(99), lineOf(100)], isStart: false, lost: 0 }
  store.receive({ event: 'console history', args: [page] })
  expect([store.get().log.entries[0]?.seq, store.get().log.behind]).toEqual([99, 3])
  store.toEnd()
  store.hold(false)
  expect(store.get().log).toMatchObject({ entries: [], lastSeq: limit + 101, behind: 0 })
  expect(olderState(store.get()).kind).toBe('more')
  store.asked(limit + 102)
  expect(olderState(store.get()).kind).toBe('asking')
  const newest = { before: limit + 102, lines: [lineOf(limit + 100), lineOf(limit + 101)], isStart: false, lost: 0 }
  store.receive({ event: 'console output', args: [[lineOf(limit + 102)]] })
  store.receive({ event: 'console history', args: [newest] })
  expect(store.get().log.entries.map(({ seq }) => seq - limit)).toEqual([100, 101, 102])
})

test('the store knows since when the word stands, but not of one that it found', () => {
  let now = 5_000
  const { store } = newStore(() => now)
  store.receive({ event: 'status', args: ['offline'] })
  expect(store.get().wordSinceMs).toBe(0)
  now = 9_000
  store.receive({ event: 'status', args: ['starting'] })
  expect(store.get().wordSinceMs).toBe(9_000)
})

test('statistics set the word and the network’s rates', () => {
  let now = 0
  const { store } = newStore(() => now)
  const look = (received: number, sent: number) => ({
    state: 'running',
    cpu_absolute: 10,
    memory_bytes: 1,
    memory_limit_bytes: 2,
    disk_bytes: 3,
    disk_limit_bytes: 4,
    network: { rx_bytes: received, tx_bytes: sent },
    uptime: 1_000,
  })
  store.receive({ event: 'stats', args: [JSON.stringify(look(1_000, 500))] })
  now = 2_000
  store.receive({ event: 'stats', args: [JSON.stringify(look(5_000, 100))] })
  store.receive({ event: 'stats', args: ['not json'] })
  expect(store.get().word).toBe('running')
  expect(store.get().samples.map((sample) => [sample.receivedPerSecond, sample.sentPerSecond])).toEqual([
    [null, null],
    [2_000, null],
  ])
})

test('commands are for those who may, and for a program that runs', () => {
  const may = { permissions: ['console.read', 'console.command'] as const }
  expect(commandBlock({ permissions: [...may.permissions] }, 'running', true)).toBeNull()
  expect(commandBlock({ permissions: ['console.read'] }, 'running', true)).toEqual({
    reason: 'forbidden',
    locked: true,
  })
  expect(commandBlock({ permissions: [...may.permissions] }, 'offline', true)).toEqual({
    reason: 'notRunning',
    locked: true,
  })
  expect(commandBlock({ permissions: [...may.permissions] }, 'running', false)).toEqual({
    reason: 'notLive',
    locked: false,
  })
})

test('figures as people read them', () => {
  expect(bytesParts(5.58e9, 'hu')).toEqual({ value: '5,2', unit: 'GB' })
  expect(bytesParts(5 * 1_073_741_824, 'hu', 'GB')).toEqual({ value: '5,0', unit: 'GB' })
  expect(bytesParts(512 * 1_048_576, 'hu', 'GB')).toEqual({ value: '0,5', unit: 'GB' })
  expect(uptimeParts(3 * 86_400_000 + 4 * 3_600_000 + 61_000)).toEqual({ days: 3, hours: 4, minutes: 1, seconds: 1 })
  expect(sparkPath([1], { width: 100, height: 20 })).toBe('')
  expect(sparkPath([0, 10], { width: 59, height: 20 }, 10)).toBe('M58.0 19.0L59.0 1.0')
})
