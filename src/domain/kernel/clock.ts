/** Where core code gets the time from. Implemented by each program's platform folder and by the tests' manual clock. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number
}
