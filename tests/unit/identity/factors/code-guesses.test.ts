import { expect, test } from 'vitest'
import { ROUTE_LIMITS } from '#contracts/http/limits.ts'
import { takeFromBucket } from '#platform/token-bucket.ts'
import {
  GUESS_CLASSES,
  guessBuckets,
  isGuess,
  POSSIBLE_CODES,
  RIGHT_CODES,
} from '../../../../src/identity/factors/code-guesses.ts'

const DAY_MS = 86_400_000
const CHANCE_A_DAY = 1e-4

/** How many guesses a class takes within one day from an attacker who never pauses, after a long rest. */
const guessesInADay = (name: (typeof GUESS_CLASSES)[number], everyMs: number): number => {
  let emptyAtMs: number | undefined
  let taken = 0
  for (let nowMs = 0; nowMs <= DAY_MS; nowMs += everyMs) {
    for (;;) {
      const decision = takeFromBucket(ROUTE_LIMITS[name], emptyAtMs, nowMs)
      if (!decision.ok) break
      taken += 1
      emptyAtMs = decision.emptyAtMs
    }
  }
  return taken
}

test.each([1_000, 60_000, 3_600_000])(
  'an attacker who guesses whenever allowed, every %d ms, is right with a chance of at most one in 10,000 a day (S6)',
  (everyMs) => {
    const guesses = GUESS_CLASSES.map((name) => guessesInADay(name, everyMs)).reduce((sum, each) => sum + each, 0)
    expect(guesses).toBeGreaterThanOrEqual(14)
    expect((guesses * RIGHT_CODES) / POSSIBLE_CODES).toBeLessThanOrEqual(CHANCE_A_DAY)
  },
)

test('guesses of all addresses count together, and so do those of all known devices', () => {
  const bucket = (address: string, device: string | null) => guessBuckets({ account: 'anna', device }, { address })
  expect(bucket('198.51.100.1', null)).toEqual(bucket('2001:db8::1', null))
  expect(bucket('198.51.100.1', 'one')).toEqual(bucket('198.51.100.2', 'other'))
  expect(bucket('198.51.100.1', null)).not.toEqual(bucket('198.51.100.1', 'one'))
  expect([...bucket('198.51.100.1', null), ...bucket('198.51.100.1', 'one')].map(({ name }) => name)).toEqual([
    ...GUESS_CLASSES,
  ])
})

test('six digits are a guess, a recovery code is none', () => {
  expect(['000000', '123456'].map(isGuess)).toEqual([true, true])
  expect(['abcd-efgh-jkmn-pqrs', '12345', '1234567', '１２３４５６', ''].map(isGuess)).toEqual(Array(5).fill(false))
})
