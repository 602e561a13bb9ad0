import { expect, test } from 'vitest'

import { sliceOf } from '../../support/slice.ts'

const CASES = ['a', 'b', 'c', 'd', 'e', 'f', 'g']

test('every case is in exactly one share, and shares are of about the same size', () => {
  const shares = [0, 1, 2].map((slice) => sliceOf(CASES, 3, String(slice)))
  expect(shares.flat().toSorted()).toEqual(CASES)
  expect(shares.map((share) => share.length)).toEqual([3, 2, 2])
})

test('another number takes another share, whatever its size', () => {
  expect(sliceOf(CASES, 3, String(0xffff_ffff))).toEqual(sliceOf(CASES, 3, '0'))
  expect(sliceOf(CASES, 3, String(0xffff_fffe))).toEqual(sliceOf(CASES, 3, '2'))
})

test('a matrix shorter than its shares still gives one case', () => {
  for (let slice = 0; slice < 5; slice += 1) expect(sliceOf(['a', 'b'], 5, String(slice))).toHaveLength(1)
})

test('without a number every case is taken', () => {
  expect(sliceOf(CASES, 3, '')).toEqual(CASES)
})
