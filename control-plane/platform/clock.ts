import type { Clock } from '#platform/clock.ts'

export const systemClock: Clock = { now: () => Date.now() }

/** Milliseconds of a clock that nobody sets: only the difference of two readings of one process means something. */
export const steadyNow = (): number => performance.now()
