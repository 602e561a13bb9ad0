import { expect, it } from 'vitest'
import { TokenBucket } from '../../../../../control-plane/platform/sockets/token-bucket.ts'

const limit = { rate: 2, seconds: 1, burst: 5 }
const taken = (bucket: TokenBucket, nowMs: number, tries: number) =>
  Array.from({ length: tries }, () => bucket.take(nowMs)).filter(Boolean).length

it('allows the burst at once and the rate from then on', () => {
  const bucket = new TokenBucket(limit, 0)
  expect(taken(bucket, 0, 100)).toBe(5)
  expect(taken(bucket, 499, 100)).toBe(0)
  expect(taken(bucket, 1_499, 100)).toBe(2)
})

it('saves no more than the burst, and a clock that goes back gives nothing', () => {
  const bucket = new TokenBucket(limit, 0)
  expect(taken(bucket, 1_000_000, 100)).toBe(5)
  expect(taken(bucket, 0, 100)).toBe(0)
})

it('is as good as new after a rest', () => {
  const bucket = new TokenBucket(limit, 0)
  bucket.take(0)
  expect(bucket.isFull(0)).toBe(false)
  expect(bucket.isFull(500)).toBe(true)
})
