/** The time source of core code. Tests pass a clock that they set by hand. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** Milliseconds of a monotonic clock: only differences within one process are meaningful. */
export const steadyNow = (): number => performance.now()
