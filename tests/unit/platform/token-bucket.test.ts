import { describe, expect, it } from 'vitest'
import { KeyedBuckets, takeFromBucket, TokenBucket } from '#platform/token-bucket.ts'

const limit = { rate: 2, seconds: 1, burst: 5 }
const taken = (bucket: TokenBucket, nowMs: number, tries: number) =>
  Array.from({ length: tries }, () => bucket.take(nowMs)).filter(Boolean).length

describe('a bucket', () => {
  it('allows the burst at once and the rate from then on', () => {
    const bucket = new TokenBucket(limit)
    expect(taken(bucket, 0, 100)).toBe(5)
    expect(taken(bucket, 499, 100)).toBe(0)
    expect(taken(bucket, 1_499, 100)).toBe(2)
  })

  it('saves no more than the burst, and a clock that goes back gives nothing', () => {
    const bucket = new TokenBucket(limit)
    expect(taken(bucket, 1_000_000, 100)).toBe(5)
    expect(taken(bucket, 0, 100)).toBe(0)
    expect(taken(bucket, 1_000_499, 100)).toBe(0)
    expect(taken(bucket, 1_000_500, 100)).toBe(1)
  })

  it('gives its whole burst at the present time, also where an action costs no whole millisecond', () => {
    for (const odd of [
      { rate: 3, seconds: 1, burst: 30 },
      { rate: 7, seconds: 60, burst: 600 },
    ]) {
      expect(taken(new TokenBucket(odd), 1_795_000_000_123, 1_000)).toBe(odd.burst)
    }
  })

  it('says how long a refused caller waits', () => {
    const login = { rate: 4, seconds: 60, burst: 5 }
    let emptyAtMs: number | undefined
    for (let at = 0; at < login.burst; at += 1) {
      const decision = takeFromBucket(login, emptyAtMs, 1_000)
      if (decision.ok) emptyAtMs = decision.emptyAtMs
    }
    expect(takeFromBucket(login, emptyAtMs, 1_000)).toEqual({ ok: false, retryAfterMs: 15_000 })
    expect(takeFromBucket(login, emptyAtMs, 15_999).ok).toBe(false)
    expect(takeFromBucket(login, emptyAtMs, 16_000).ok).toBe(true)
  })
})

describe('buckets by key', () => {
  it('count each key by itself, and give back what an action took', () => {
    const buckets = new KeyedBuckets(10)
    const take = (key: string) => buckets.take(key, limit, 0).ok
    expect(Array.from({ length: 6 }, () => take('a'))).toEqual([true, true, true, true, true, false])
    expect(take('b')).toBe(true)
    buckets.giveBack('a', limit)
    expect([take('a'), take('a')]).toEqual([true, false])
  })

  it('stay bounded under a flood of keys, and remember a key in use', () => {
    const buckets = new KeyedBuckets(100)
    for (let at = 0; at < 5; at += 1) buckets.take('busy', limit, 0)
    for (let at = 0; at < 1_000; at += 1) {
      buckets.take(`k${at}`, { rate: 1, seconds: 60, burst: 5 }, 0)
      if (at % 50 === 0) buckets.take('busy', { ...limit, burst: 1_000 }, 0)
    }
    expect(buckets.size).toBe(100)
    expect(buckets.take('busy', limit, 0).ok).toBe(false)
  })

  it('forget those that are empty first', () => {
    const buckets = new KeyedBuckets(2)
    buckets.take('full', { rate: 1, seconds: 60, burst: 1 }, 0)
    buckets.take('empty soon', limit, 0)
    buckets.take('new', limit, 10_000)
    expect(buckets.take('full', { rate: 1, seconds: 60, burst: 1 }, 10_000).ok).toBe(false)
  })
})
