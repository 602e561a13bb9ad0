import { expect, it } from 'vitest'

import {
  afterCrash,
  CRASH_DELAYS_MS,
  CRASH_WINDOW_MS,
  restartDelayMs,
} from '../../../../agents/servers/crash-policy.ts'

it('waits longer after each crash, counts the attempts, and then leaves the server down', () => {
  let crashes: readonly number[] = []
  const decisions = []
  for (let index = 0; index <= CRASH_DELAYS_MS.length; index += 1) {
    const decision = afterCrash(crashes, 1_000_000 + index * 60_000)
    crashes = decision.crashes
    decisions.push(decision.is === 'restart' ? [decision.attempt, decision.delayMs] : decision.is)
  }
  expect(decisions).toEqual([[1, 5_000], [2, 15_000], [3, 45_000], [4, 120_000], 'stay-down'])
})

it('forgets crashes outside the window, also when the clock was set back', () => {
  const nowMs = 100 * CRASH_WINDOW_MS
  expect(afterCrash([nowMs - CRASH_WINDOW_MS], nowMs)).toMatchObject({ is: 'restart', attempt: 1 })
  expect(afterCrash([nowMs + CRASH_WINDOW_MS], nowMs)).toMatchObject({ is: 'restart', attempt: 1 })
  expect(afterCrash([nowMs - CRASH_WINDOW_MS + 1], nowMs)).toMatchObject({ is: 'restart', attempt: 2 })
})

it('never waits longer than its longest pause for a start, whatever the clock does', () => {
  expect(restartDelayMs(10_000, 4_000)).toBe(6_000)
  expect(restartDelayMs(4_000, 10_000)).toBe(0)
  expect(restartDelayMs(3_600_000, 0)).toBe(120_000)
})
