import { expect, test } from 'vitest'
import type { ConsoleLine } from '#contracts/panel/messages.ts'
import { blocksOf, minuteOf, minuteOpeners } from '../../../../../src/features/console/log/log-blocks.ts'
import { appendLines, emptyLog, prependLines } from '../../../../../src/features/console/log/log-buffer.ts'
import { logClock } from '../../../../../src/features/console/log/log-clock.ts'
import { entriesBetween, logFileName, logText } from '../../../../../src/features/console/log/log-text.ts'

const lines = (from: number, to: number): ConsoleLine[] =>
  Array.from({ length: to - from + 1 }, (_, index) => [
    from + index,
    (from + index) * 1_000,
    'o',
    `line ${from + index}`,
  ])

test('blocks that did not change are the same objects, whether the log grows at its end, its top or is cut', () => {
  const held = appendLines(emptyLog, lines(250, 480))
  const before = blocksOf(held.entries)
  expect(before.map(({ id, entries }) => [id, entries.length])).toEqual([
    [2, 50],
    [3, 100],
    [4, 81],
  ])
  const grown = blocksOf(appendLines(held, lines(481, 482)).entries, before)
  expect([grown[0] === before[0], grown[1] === before[1], grown[2] === before[2]]).toEqual([true, true, false])
  const older = blocksOf(prependLines(held, lines(180, 249)).entries, before)
  expect(older.map(({ id }) => id)).toEqual([1, 2, 3, 4])
  expect([older[2] === before[1], older[3] === before[2]]).toEqual([true, true])
  const cut = blocksOf(appendLines(held, lines(481, 482), { limit: 200, isHeld: false }).entries, grown)
  expect(cut[1]).toBe(grown[1])
})

test('a filter that leaves the ends but not the middle makes another block', () => {
  const { entries } = appendLines(emptyLog, lines(1, 5))
  const before = blocksOf(entries)
  const fewer = blocksOf(
    entries.filter((_, index) => index !== 2),
    before,
  )
  expect(fewer[0]).not.toBe(before[0])
})

test('a block knows the minute before it', () => {
  const blocks = blocksOf(appendLines(emptyLog, lines(90, 110)).entries)
  expect(blocks.map(({ minuteBefore }) => minuteBefore)).toEqual([-1, minuteOf(99_000)])
  expect(blocksOf(appendLines(emptyLog, lines(90, 130)).entries).map((block) => [...minuteOpeners(block)])).toEqual([
    [90],
    [120],
  ])
})

test('a text that leaves the page has day and time of the chosen clock, without colours, and says what is missing', () => {
  const { entries } = appendLines(emptyLog, [
    [1, Date.UTC(2026, 10, 20, 19, 14, 2), 'o', `${String.fromCharCode(27)}[31mred${String.fromCharCode(27)}[0m`],
    [4, Date.UTC(2026, 10, 20, 19, 14, 5), 'o', 'later'],
  ])
  const text = (zone: string) => logText(entries, logClock(zone), (count) => `${count} lines were dropped`)
  expect(text('Europe/Budapest')).toBe(
    '2026-11-20 20:14:02  red\n--- 2 lines were dropped ---\n2026-11-20 20:14:05  later\n',
  )
  expect(text('UTC')).toContain('2026-11-20 19:14:02  red')
  expect(entriesBetween(entries, 2, 4).map(({ kind }) => kind)).toEqual(['gap', 'line'])
})

test('a file name of any server name', () => {
  expect(logFileName('Túlélő szerver!', 0)).toBe('tulelo-szerver-1970-01-01-00-00-00.log')
  expect(logFileName('../..', 0)).toBe('server-1970-01-01-00-00-00.log')
})
