/** Where core code gets the time from. Tests pass a clock that they set by hand. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** Milliseconds of a clock that nobody sets: only the difference of two readings of one process means something. */
export const steadyNow = (): number => performance.now()
