import { expect, test } from 'vitest'
import type { ConsoleLine } from '#contracts/panel/messages.ts'
import { ansiRuns } from '../../../../../src/features/console/log/ansi.ts'
import { appendLines, emptyLog } from '../../../../../src/features/console/log/log-buffer.ts'
import {
  compileSearch,
  createMatcher,
  findLines,
  hitsIn,
  hitsOfTyped,
  markedRuns,
  searchBudgetMs,
  stepHit,
} from '../../../../../src/features/console/log/log-search.ts'
import type { Matcher } from '../../../../../src/features/console/log/log-search.ts'

const esc = String.fromCharCode(27)
const pattern = (text: string, isRegex = false): RegExp => {
  const compiled = compileSearch({ text, isRegex })
  if (!compiled.pattern) throw new Error(`${text} is no pattern.`)
  return compiled.pattern
}

test('a text is searched as it stands, without regard to case', () => {
  expect(hitsIn(pattern('a.c (1)'), 'x A.C (1) abc')).toEqual([[2, 9]])
  expect(hitsIn(pattern('űR'), 'ŰRHAJÓ űr')).toEqual([
    [0, 2],
    [7, 9],
  ])
})

test('a regular expression finds places; an empty hit is none, and a broken one is told', () => {
  expect(hitsIn(pattern('\\d+|x*', true), 'ab 12 c 3')).toEqual([
    [3, 5],
    [8, 9],
  ])
  expect(compileSearch({ text: '(', isRegex: true })).toEqual({ pattern: null, invalid: true })
  expect(compileSearch({ text: '  ', isRegex: true })).toEqual({ pattern: null, invalid: false })
})

test('hits are places of what is shown, over colours and through written-out marks', () => {
  const line = `${esc}[31mred${esc}[0m and \u202Egreen`
  expect(hitsIn(pattern('d and [U'), line)).toEqual([[2, 10]])
  const runs = markedRuns(ansiRuns(line), [[2, 10]])
  expect(runs.map(({ text, className, isHit }) => [text, className, isHit])).toEqual([
    ['re', 'ansi-red', false],
    ['d', 'ansi-red', true],
    [' and [U', '', true],
    ['+202E]green', '', false],
  ])
  expect(runs.map(({ text }) => text).join('')).toBe('red and [U+202E]green')
})

const { entries } = appendLines(
  emptyLog,
  Array.from({ length: 600 }, (_, index) => [index + 1, 0, 'o', index % 100 === 0 ? 'hit' : 'other']),
)

test('lines with hits are found in order, and a slow search stops', () => {
  const matcher = createMatcher(pattern('hit'))
  expect(findLines(entries, matcher, () => 0)).toEqual({ seqs: [1, 101, 201, 301, 401, 501], complete: true })
  let now = 0
  const slow = findLines(entries, matcher, () => (now += searchBudgetMs))
  expect(slow).toEqual({ seqs: [1, 101, 201], complete: false })
})

test('the first step goes to the newest hit, then around the ends', () => {
  const seqs = [3, 7, 9]
  expect(stepHit([], 0, 1)).toBe(0)
  expect(stepHit(seqs, 0, -1)).toBe(9)
  expect(stepHit(seqs, 9, -1)).toBe(7)
  expect(stepHit(seqs, 3, -1)).toBe(9)
  expect(stepHit(seqs, 9, 1)).toBe(3)
  expect(stepHit(seqs, 8, 1)).toBe(9)
})

test('hits of the letters before are none of what stands in the box now', () => {
  const lines = ['pebble', 'pong', 'pepper'].map((text, at): ConsoleLine => [at + 1, 0, 'o', text])
  const { entries } = appendLines(emptyLog, lines)
  const look = (matcher: Matcher) => findLines(entries, matcher, () => 0).seqs
  const found = { text: 'pe', isRegex: false, seqs: [1, 3] }
  expect(hitsOfTyped({ text: 'pong', isRegex: false }, found, look)).toEqual([2])
  expect(hitsOfTyped({ text: 'pe', isRegex: false }, found, look)).toBe(found.seqs)
  expect(hitsOfTyped({ text: 'pe', isRegex: true }, found, look)).toEqual([1, 3])
  expect(hitsOfTyped({ text: '(', isRegex: true }, found, look)).toEqual([])
  expect(hitsOfTyped({ text: '', isRegex: false }, found, look)).toEqual([])
})
