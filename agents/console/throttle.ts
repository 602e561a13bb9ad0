export interface ThrottleLimits {
  readonly lines: number
  readonly bytes: number
  readonly windowMs: number
}

/** 2,000 lines in 100 ms, as game panels have it; the bytes bound what long lines can cost. */
export const DEFAULT_THROTTLE: ThrottleLimits = { lines: 2_000, bytes: 1024 * 1024, windowMs: 100 }

/**
 * Says how long to wait before reading on. Output over the limit is not thrown away: the pipe is left full until the
 * window ends, so a flood slows itself down and every line is kept.
 */
export class Throttle {
  readonly #limits: ThrottleLimits
  #windowStart = Number.NEGATIVE_INFINITY
  #lines = 0
  #bytes = 0

  constructor(limits: ThrottleLimits = DEFAULT_THROTTLE) {
    this.#limits = limits
  }

  /** Counts what was read at `nowMs`. Returns milliseconds to pause, 0 for none. */
  take(lines: number, bytes: number, nowMs: number): number {
    if (nowMs - this.#windowStart >= this.#limits.windowMs || nowMs < this.#windowStart) {
      this.#windowStart = nowMs
      this.#lines = 0
      this.#bytes = 0
    }
    this.#lines += lines
    this.#bytes += bytes
    const full = this.#lines > this.#limits.lines || this.#bytes > this.#limits.bytes
    return full ? Math.max(1, this.#windowStart + this.#limits.windowMs - nowMs) : 0
  }
}
