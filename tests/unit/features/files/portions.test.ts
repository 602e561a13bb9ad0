import { expect, it } from 'vitest'
import { portionsOf } from '@/features/files/portions.ts'

it('keeps everything in its order, with no more things and bytes than a request holds', () => {
  const names = Array.from({ length: 2_500 }, (_, index) => `file-${index}`)
  const portions = portionsOf(names, 1_000)
  expect(portions.map(({ length }) => length)).toEqual([1_000, 1_000, 500])
  expect(portions.flat()).toEqual(names)
  const long = Array.from({ length: 2_000 }, () => 'á'.repeat(2_000))
  const sizes = portionsOf(long, 10_000).map((portion) => new TextEncoder().encode(JSON.stringify(portion)).length)
  expect(sizes.length).toBe(2)
  expect(Math.max(...sizes)).toBeLessThan(5 * 1024 * 1024)
  expect(portionsOf([], 10)).toEqual([])
})
