import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import {
  nextAttemptAtMs,
  renewalAtMs,
  retryDelayMs,
  suggestedAtMs,
  warnBeforeMs,
} from '../../../../agents/acme/schedule.ts'

const DAY_MS = 24 * 3_600_000
const MINUTE_MS = 60_000
const life = { startsAtMs: 0, endsAtMs: 90 * DAY_MS, obtainedAtMs: 3_600_000 }
const attempts = { settings: '', failures: 3, atMs: 1_000_000, retryAtMs: null, reason: '' }

describe('when to renew', () => {
  it('is at two thirds of the life, by chance up to a thirtieth of it earlier', () => {
    expect(renewalAtMs(life, 0)).toBe(60 * DAY_MS)
    expect(renewalAtMs(life, 1)).toBe(57 * DAY_MS)
  })

  it('is never before half of what was left, however nearly over the certificate came', () => {
    const stale = { startsAtMs: 0, endsAtMs: 90 * DAY_MS, obtainedAtMs: 80 * DAY_MS }
    expect(renewalAtMs(stale, 1)).toBe(85 * DAY_MS)
  })

  it('leaves time between renewal and end for every life', () => {
    const lives = fc.record({
      days: fc.integer({ min: 1, max: 400 }),
      chance: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    fc.assert(
      fc.property(lives, ({ days, chance }) => {
        const endsAtMs = days * DAY_MS
        const atMs = renewalAtMs({ startsAtMs: 0, endsAtMs, obtainedAtMs: 0 }, chance)
        expect(atMs).toBeGreaterThanOrEqual(endsAtMs / 2)
        expect(endsAtMs - atMs).toBeGreaterThanOrEqual(Math.floor(endsAtMs / 3))
        expect(endsAtMs - atMs).toBeGreaterThan(warnBeforeMs(endsAtMs))
      }),
    )
  })

  it('follows the authority, not sooner than an hour after the last and not so late that one failure is the end', () => {
    expect(suggestedAtMs(life, 30 * DAY_MS)).toBe(30 * DAY_MS)
    expect(suggestedAtMs(life, 0)).toBe(2 * 3_600_000)
    expect(suggestedAtMs(life, 89 * DAY_MS)).toBe(75 * DAY_MS)
  })

  it('warns 14 days before the end, and later only where renewal itself leaves less', () => {
    expect(warnBeforeMs(90 * DAY_MS)).toBe(14 * DAY_MS)
    expect(warnBeforeMs(45 * DAY_MS)).toBe(14 * DAY_MS)
    expect(warnBeforeMs(6 * DAY_MS)).toBe(DAY_MS)
  })
})

describe('when to try again', () => {
  it('doubles from five minutes up to a day, with a quarter by chance', () => {
    expect([1, 2, 3, 4].map((failures) => retryDelayMs(failures, 0) / MINUTE_MS)).toEqual([5, 10, 20, 40])
    expect(retryDelayMs(1, 1)).toBe(6.25 * MINUTE_MS)
    expect(retryDelayMs(1_000, 0)).toBe(DAY_MS)
  })

  it('stays below the five failed checks in an hour that authorities allow', () => {
    let atMs = 0
    let within = 1
    for (let failures = 1; failures < 20; failures += 1) {
      atMs += retryDelayMs(failures, 0)
      if (atMs <= 60 * MINUTE_MS) within += 1
    }
    expect(within).toBeLessThan(5)
  })

  const about = { nowMs: 2_000_000, chance: 0, isRestart: false }

  it('waits for its own pause, and no longer than after a first failure when it was started again', () => {
    expect(nextAttemptAtMs(undefined, about)).toBe(0)
    expect(nextAttemptAtMs(attempts, about)).toBe(attempts.atMs + 20 * MINUTE_MS)
    expect(nextAttemptAtMs(attempts, { ...about, isRestart: true })).toBe(attempts.atMs + 5 * MINUTE_MS)
  })

  it('waits for what the authority asked, also after a restart, for 30 days at most', () => {
    const asked = { ...attempts, retryAtMs: attempts.atMs + 7 * DAY_MS }
    for (const isRestart of [false, true]) {
      expect(nextAttemptAtMs(asked, { ...about, isRestart })).toBe(attempts.atMs + 7 * DAY_MS)
    }
    const absurd = { ...attempts, retryAtMs: attempts.atMs + 900 * DAY_MS }
    expect(nextAttemptAtMs(absurd, about)).toBe(attempts.atMs + 30 * DAY_MS)
  })

  it('forgets a record from the future', () => {
    expect(nextAttemptAtMs({ ...attempts, atMs: about.nowMs + 1 }, about)).toBe(0)
  })
})
