import { describe, expect, it } from 'vitest'
import {
  isGivenUp,
  LATE_WATCH_MS,
  nextLookMs,
  nextRefundLookMs,
  POLL_AFTER_WINDOW_MS,
} from '#domain/payments/payment-window.ts'

const HOUR = 3_600_000
const payment = { createdAtMs: 0, openUntilMs: HOUR, checks: 0 }
const pollEnd = HOUR + POLL_AFTER_WINDOW_MS

describe('how long a refund is looked at', () => {
  it('is twice as late each time while it is on its way, once a day when it was sent, never when it failed', () => {
    const delays = [0, 1, 6, 7, 100].map((checks) => nextRefundLookMs('pending', { checks, nowMs: 5 }))
    expect(delays).toEqual([30_005, 60_005, 1_920_005, HOUR + 5, HOUR + 5])
    expect(nextRefundLookMs('succeeded', { checks: 3, nowMs: 5 })).toBe(24 * HOUR + 5)
    expect(nextRefundLookMs('failed', { checks: 0, nowMs: 5 })).toBeNull()
  })
})

describe('T15: how long a payment is looked at', () => {
  it('is asked about all the time until its window and 72 hours are over', () => {
    expect(nextLookMs(payment, 0)).toBe(30_000)
    expect(nextLookMs({ ...payment, checks: 3 }, 0)).toBe(240_000)
    expect(nextLookMs({ ...payment, checks: 100 }, 0)).toBe(HOUR)
    expect(nextLookMs({ ...payment, checks: 100 }, pollEnd - 1)).toBe(pollEnd - 1 + HOUR)
  })

  it('then once a day for 30 days, then never', () => {
    expect(nextLookMs(payment, pollEnd)).toBe(pollEnd + 24 * HOUR)
    expect(nextLookMs(payment, pollEnd + LATE_WATCH_MS - 1)).not.toBeNull()
    expect(nextLookMs(payment, pollEnd + LATE_WATCH_MS)).toBeNull()
  })

  it('is given up when nobody can pay any more, or when it was never opened', () => {
    expect(isGivenUp(payment, pollEnd - 1)).toBe(false)
    expect(isGivenUp(payment, pollEnd)).toBe(true)
    expect(isGivenUp({ ...payment, openUntilMs: null }, HOUR)).toBe(false)
    expect(isGivenUp({ ...payment, openUntilMs: null }, HOUR + 1)).toBe(true)
  })

  it('needs fewer than a thousand looks, of which the next is always later', () => {
    let at = 0
    let looks = 0
    for (let next = nextLookMs(payment, at); next !== null; next = nextLookMs({ ...payment, checks: looks }, at)) {
      expect(next).toBeGreaterThan(at)
      at = next
      looks += 1
    }
    expect(looks).toBeLessThan(1_000)
  })
})
