import { expect, it } from 'vitest'
import { MAX_MAIL_TRIES, retryMail } from '#domain/mail/retry.ts'

const HOUR_MS = 3_600_000
const never = Number.MAX_SAFE_INTEGER

it('waits 10 s, then twice as long each time, and never longer than an hour', () => {
  const waits = Array.from({ length: 12 }, (_, at) => retryMail({ tries: at + 1, nowMs: 0, expiresAtMs: never }))
  const seconds = waits.map((wait) => (wait.again ? wait.atMs / 1_000 : Number.NaN))
  expect(seconds).toEqual([10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600, 3_600])
})

it('outlasts a mail server that is away for a day', () => {
  let nowMs = 0
  for (let tries = 1; tries < MAX_MAIL_TRIES; tries += 1) {
    const next = retryMail({ tries, nowMs, expiresAtMs: never })
    if (next.again) nowMs = next.atMs
  }
  expect(nowMs).toBeGreaterThan(24 * HOUR_MS)
  expect(retryMail({ tries: MAX_MAIL_TRIES, nowMs, expiresAtMs: never })).toEqual({ again: false, reason: 'tries' })
})

it.each([
  ['just before the mail is worth nothing', 10_001, { again: true, atMs: 10_000 }],
  ['at that moment', 10_000, { again: false, reason: 'expired' }],
])('tries again %s or gives up', (_when, expiresAtMs, answer) => {
  expect(retryMail({ tries: 1, nowMs: 0, expiresAtMs })).toEqual(answer)
})
