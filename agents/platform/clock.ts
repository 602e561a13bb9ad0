/** Milliseconds since 1970. Core code asks this and never the ambient clock. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
