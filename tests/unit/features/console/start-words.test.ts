import { expect, test } from 'vitest'
import { saidLeft, saidUsual } from '../../../../src/features/console/start-words.ts'

test('a remaining time goes down in steps of five seconds, and by minutes when it is long', () => {
  expect([1, 5_000, 5_001, 16_000, 20_000, 89_000, 90_000, 200_000].map(saidLeft)).toEqual([
    { unit: 'few', count: 5 },
    { unit: 'few', count: 5 },
    { unit: 'seconds', count: 10 },
    { unit: 'seconds', count: 20 },
    { unit: 'seconds', count: 20 },
    { unit: 'seconds', count: 90 },
    { unit: 'minutes', count: 2 },
    { unit: 'minutes', count: 3 },
  ])
})

test('a usual time is said to the second, and by minutes when it is long', () => {
  expect([200, 35_400, 89_000, 150_000].map(saidUsual)).toEqual([
    { unit: 'seconds', count: 1 },
    { unit: 'seconds', count: 35 },
    { unit: 'seconds', count: 89 },
    { unit: 'minutes', count: 3 },
  ])
})
