import { expect, test } from 'vitest'
import type { ConsoleLine } from '#contracts/panel/messages.ts'
import {
  appendDropped,
  appendEcho,
  appendLines,
  atEnd,
  emptyLog,
  prependLines,
} from '../../../../../src/features/console/log/log-buffer.ts'
import type { LogBuffer } from '../../../../../src/features/console/log/log-buffer.ts'

const lines = (...numbers: number[]): ConsoleLine[] => numbers.map((seq) => [seq, 1_000 + seq, 'o', `line ${seq}`])
const shown = (buffer: LogBuffer) =>
  buffer.entries.map((entry) =>
    entry.kind === 'line' ? entry.seq : entry.kind === 'echo' ? `> ${entry.text}` : `gap of ${entry.count}`,
  )

test('lines stand in the order of their numbers, however a batch is mixed', () => {
  expect(shown(appendLines(emptyLog, lines(3, 1, 2)))).toEqual([1, 2, 3])
})

test('P5: a number that was seen is never shown twice, within a batch or after a resume', () => {
  const first = appendLines(emptyLog, lines(1, 2, 2, 3))
  const again = appendLines(first, lines(2, 3, 4))
  expect(shown(again)).toEqual([1, 2, 3, 4])
  expect(appendLines(again, lines(1, 4))).toBe(again)
})

test('P3: a jump in the numbers becomes a gap with the exact count', () => {
  expect(shown(appendLines(appendLines(emptyLog, lines(1, 2)), lines(6, 7)))).toEqual([1, 2, 'gap of 3', 6, 7])
})

test('the first batch of a page may begin anywhere without a gap', () => {
  expect(shown(appendLines(emptyLog, lines(500, 501)))).toEqual([500, 501])
})

test('a sent command stands where it was sent and is no line: the numbers go on without a gap', () => {
  const sent = appendEcho(appendLines(emptyLog, lines(1, 2)), { text: 'list', atMs: 3 })
  expect(shown(appendLines(sent, lines(3)))).toEqual([1, 2, '> list', 3])
  expect(shown(prependLines(appendEcho(appendLines(emptyLog, lines(5)), { text: 'list', atMs: 3 }), lines(4)))).toEqual(
    [4, 5, '> list'],
  )
})

test('at an older position of the log a sent command is not shown, because its place is at the end', () => {
  const older = { ...appendLines(emptyLog, lines(1, 2)), lastSeq: 9, behind: 7 }
  expect(appendEcho(older, { text: 'list', atMs: 3 })).toBe(older)
})

test('a sent command pushes out no line that is being read', () => {
  const full = appendLines(emptyLog, lines(1, 2))
  const echo = { text: 'list', atMs: 3 }
  expect(appendEcho(full, echo, { limit: 2, isHeld: true })).toBe(full)
  expect(shown(appendEcho(full, echo, { limit: 2, isHeld: false }))).toEqual([2, '> list'])
})

test('P4: told of dropped lines, the gap is shown once and the next line is no second gap', () => {
  const told = appendDropped(appendLines(emptyLog, lines(1, 2)), 5)
  expect(shown(appendLines(told, lines(8)))).toEqual([1, 2, 'gap of 5', 8])
  expect(shown(appendLines(told, lines(10)))).toEqual([1, 2, 'gap of 5', 'gap of 2', 10])
})

test('lines dropped before the first one are no gap in what is shown', () => {
  expect(shown(appendLines(appendDropped(emptyLog, 40), lines(41)))).toEqual([41])
})

const room = (limit: number, isHeld = false) => ({ limit, isHeld })

test('the limit takes the oldest away', () => {
  const buffer = appendLines(appendLines(emptyLog, lines(1, 2, 3), room(4)), lines(4, 5, 6), room(4))
  expect(shown(buffer)).toEqual([3, 4, 5, 6])
  expect([buffer.lastSeq, buffer.behind]).toEqual([6, 0])
})

test('lines that somebody reads stay where they are: new ones are counted, and no gap is made of them', () => {
  const held = appendLines(emptyLog, lines(1, 2, 3), room(4, true))
  expect(shown(appendLines(held, lines(4), room(4, true)))).toEqual([1, 2, 3, 4])
  const behind = appendLines(held, lines(4, 5), room(4, true))
  expect(shown(behind)).toEqual([1, 2, 3])
  expect([behind.lastSeq, behind.behind]).toEqual([5, 2])
  // Where the stretch ends early nothing is put behind it, held or not: the lines between would be missing.
  const later = appendLines(appendDropped(behind, 10, room(4)), lines(5, 16, 17), room(4))
  expect(shown(later)).toEqual([1, 2, 3])
  expect([later.lastSeq, later.behind]).toEqual([17, 14])
  const dropped = appendDropped(appendLines(emptyLog, lines(1, 2), room(2)), 3, room(2, true))
  expect([shown(dropped), dropped.lastSeq, dropped.behind]).toEqual([[1, 2], 5, 3])
})

test('at the end again the numbers go on, and the newest lines are asked for and put in front', () => {
  const end = atEnd(appendLines(emptyLog, lines(1, 2, 3, 4, 5)))
  expect([shown(end), end.lastSeq, end.behind]).toEqual([[], 5, 0])
  const live = appendLines(end, lines(6))
  expect(shown(prependLines(live, lines(4, 5)))).toEqual([4, 5, 6])
  expect(shown(appendLines(end, lines(9)))).toEqual(['gap of 3', 9])
})

test('lines that are missing between older ones and those held are a gap with the exact count', () => {
  const held = appendLines(emptyLog, lines(10, 11))
  expect(shown(prependLines(held, lines(4, 5, 7), { limit: 20 }))).toEqual([4, 5, 'gap of 1', 7, 'gap of 2', 10, 11])
})

test('older lines go in front, without doubles, and the newest make way for them', () => {
  const held = appendLines(emptyLog, lines(10, 11))
  expect(shown(prependLines(held, lines(9, 8, 8, 10), { limit: 10 }))).toEqual([8, 9, 10, 11])
  const older = prependLines(held, lines(7, 8, 9), { limit: 3 })
  expect(shown(older)).toEqual([7, 8, 9])
  expect([older.lastSeq, older.behind]).toEqual([11, 2])
  const oldest = prependLines(older, lines(5, 6), { limit: 3 })
  expect([shown(oldest), oldest.lastSeq, oldest.behind]).toEqual([[5, 6, 7], 11, 4])
  expect(prependLines(held, lines(10, 11))).toBe(held)
})
