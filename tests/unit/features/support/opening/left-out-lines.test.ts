import { expect, test } from 'vitest'
import {
  keptSigns,
  placesOf,
  signOfLine,
  signsAfter,
  signsIn,
} from '../../../../../src/features/support/opening/left-out-lines.ts'

const signs = (lines: readonly string[], server = 'a') => lines.map((line) => signOfLine(server, line))

test('a line has the same sign each time, another one at another server, and one that is too short to tell it', () => {
  const line = 'the password is correct horse battery staple'
  expect(signOfLine('a', line)).toBe(signOfLine('a', line))
  expect(signOfLine('b', line)).not.toBe(signOfLine('a', line))
  const all = signs(Array.from({ length: 200 }, (_, at) => `${line} ${at}`))
  expect(new Set(all).size).toBe(200)
  for (const sign of all) expect(sign).toMatch(/^[\da-z]{1,7}$/)
})

test('signs are found again in a draft', () => {
  const all = new Set(signs(['one', 'two']))
  expect(signsIn(keptSigns(all))).toEqual(all)
  expect(keptSigns(new Set())).toBeUndefined()
  expect(signsIn(undefined)).toEqual(new Set())
})

test('each line with the words of one that was left out stays out', () => {
  expect(placesOf(new Set(signs(['two'])), signs(['two', 'one', 'two']))).toEqual(new Set([0, 2]))
  expect(placesOf(new Set(signs(['two'], 'b')), signs(['two'], 'a'))).toEqual(new Set())
})

test('a choice forgets lines that were put back, and none that is not shown', () => {
  const before = new Set(signs(['gone', 'one', 'two']))
  expect(signsAfter(before, signs(['one', 'two', 'three']), new Set([1]))).toEqual(new Set(signs(['gone', 'two'])))
  // One of two lines with the same words is still left out.
  expect(signsAfter(new Set(signs(['one'])), signs(['one', 'one']), new Set([1]))).toEqual(new Set(signs(['one'])))
})
