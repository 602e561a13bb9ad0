import { expect, test } from 'vitest'
import type { ConsoleLine } from '../../../../src/contracts/panel/messages.ts'
import { appendDropped, appendLines, emptyLog, prependLines } from '../../../../src/features/console/log-buffer.ts'
import type { LogBuffer } from '../../../../src/features/console/log-buffer.ts'

const lines = (...numbers: number[]): ConsoleLine[] => numbers.map((seq) => [seq, 1_000 + seq, 'o', `line ${seq}`])
const shown = (buffer: LogBuffer) =>
  buffer.entries.map((entry) => (entry.kind === 'line' ? entry.seq : `gap of ${entry.count}`))

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

test('P4: told of dropped lines, the gap is shown once and the next line is no second gap', () => {
  const told = appendDropped(appendLines(emptyLog, lines(1, 2)), 5)
  expect(shown(appendLines(told, lines(8)))).toEqual([1, 2, 'gap of 5', 8])
  expect(shown(appendLines(told, lines(10)))).toEqual([1, 2, 'gap of 5', 'gap of 2', 10])
})

test('lines dropped before the first one are no gap in what is shown', () => {
  expect(shown(appendLines(appendDropped(emptyLog, 40), lines(41)))).toEqual([41])
})

test('the limit takes the oldest away and counts them', () => {
  const buffer = appendLines(appendLines(emptyLog, lines(1, 2, 3), 4), lines(4, 5, 6), 4)
  expect(shown(buffer)).toEqual([3, 4, 5, 6])
  expect(buffer.dropped).toBe(2)
  expect(buffer.lastSeq).toBe(6)
})

test('lines that are missing between older ones and those held are a gap with the exact count', () => {
  const held = appendLines(emptyLog, lines(10, 11))
  expect(shown(prependLines(held, lines(4, 5, 7), 20))).toEqual([4, 5, 'gap of 1', 7, 'gap of 2', 10, 11])
})

test('older lines go in front, without doubles and only as far as there is room', () => {
  const held = appendLines(emptyLog, lines(10, 11))
  expect(shown(prependLines(held, lines(9, 8, 8, 10), 10))).toEqual([8, 9, 10, 11])
  expect(shown(prependLines(held, lines(7, 8, 9), 3))).toEqual([9, 10, 11])
  expect(prependLines(held, lines(9), 2)).toBe(held)
  expect(prependLines(held, lines(8, 9), 10).lastSeq).toBe(11)
})
