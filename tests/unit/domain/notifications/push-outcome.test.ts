import { describe, expect, test } from 'vitest'
import { judgePush, MAX_PUSH_TRIES } from '#domain/notifications/push-outcome.ts'

const present = { tries: 1, nowMs: 1_000_000, expiresAtMs: 1_000_000 + 86_400_000 }
const answered = (status: number, retryAfterMs?: number) => ({ kind: 'answered' as const, status, retryAfterMs })

describe('what follows from the answer of a push service', () => {
  test.each([200, 201, 202, 204])('%i: it was taken', (status) => {
    expect(judgePush(answered(status), present)).toEqual({ kind: 'sent' })
  })

  test.each([404, 410])('%i: the browser is gone', (status) => {
    expect(judgePush(answered(status), present)).toEqual({ kind: 'gone' })
  })

  test.each([301, 307, 400, 405, 413, 415])('%i: this push is given up, and nobody follows it elsewhere', (status) => {
    expect(judgePush(answered(status), present)).toEqual({ kind: 'failed', reason: 'refused' })
  })

  test.each([
    [answered(429), false],
    [answered(500), false],
    [answered(503), false],
    [{ kind: 'unreachable' as const }, false],
    [answered(401), true],
    [answered(403), true],
  ])('%j: again after 10 s', (answer, isOurs) => {
    expect(judgePush(answer, present)).toEqual({ kind: 'again', atMs: 1_010_000, isOurs })
  })

  test('waits longer each time, and an hour at most', () => {
    const waits = [1, 2, 5, 11].map((tries) => {
      const outcome = judgePush({ kind: 'unreachable' }, { ...present, tries })
      return outcome.kind === 'again' ? outcome.atMs - present.nowMs : outcome
    })
    expect(waits).toEqual([10_000, 20_000, 160_000, 3_600_000])
  })

  test('never asks before the service wants to hear of it, nor after it is no news', () => {
    expect(judgePush(answered(429, 60_000), present)).toMatchObject({ kind: 'again', atMs: 1_060_000 })
    expect(judgePush(answered(429, 0), present)).toMatchObject({ kind: 'again', atMs: 1_010_000 })
    expect(judgePush(answered(429, 90_000_000), present)).toEqual({ kind: 'failed', reason: 'expired' })
  })

  test('ends after its tries', () => {
    expect(judgePush({ kind: 'unreachable' }, { ...present, tries: MAX_PUSH_TRIES })).toEqual({
      kind: 'failed',
      reason: 'tries',
    })
  })
})
