import { expect, it } from 'vitest'
import { retryAfter } from '#domain/kernel/retry.ts'

const never = Number.MAX_SAFE_INTEGER
const first = { tries: 1, nowMs: 1_000, expiresAtMs: never }

it('waits 10 s, then twice as long each time, and never longer than an hour', () => {
  const waits = Array.from({ length: 11 }, (_, at) => retryAfter({ ...first, tries: at + 1 }, { maxTries: 20 }))
  const seconds = waits.map((wait) => (wait.again ? (wait.atMs - 1_000) / 1_000 : Number.NaN))
  expect(seconds).toEqual([10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600])
})

it.each([
  ['what the other side asks for, when that is longer', 60_000, 61_000],
  ['its own time, when the other side asks for less', 5_000, 11_000],
])('waits %s', (_what, atLeastMs, atMs) => {
  expect(retryAfter(first, { maxTries: 3, atLeastMs })).toEqual({ again: true, atMs })
})

it.each([
  ['the last try but one', { tries: 2, expiresAtMs: never }, { again: true, atMs: 21_000 }],
  ['the last try', { tries: 3, expiresAtMs: never }, { again: false, reason: 'tries' }],
  ['a try whose next would come just in time', { tries: 1, expiresAtMs: 11_001 }, { again: true, atMs: 11_000 }],
  ['a try whose next would come too late', { tries: 1, expiresAtMs: 11_000 }, { again: false, reason: 'expired' }],
])('after %s says what follows', (_when, change, answer) => {
  expect(retryAfter({ ...first, ...change }, { maxTries: 3 })).toEqual(answer)
})
