import { noteLine, type NoteLine } from './notes.ts'

export interface ThrottleLimits {
  readonly lines: number
  readonly bytes: number
  readonly windowMs: number
}

/** 2,000 lines in 100 ms, as in game panels; the byte limit bounds the cost of long lines. */
export const DEFAULT_THROTTLE: ThrottleLimits = { lines: 2_000, bytes: 1024 * 1024, windowMs: 100 }

/**
 * Calculates the pause before the next read. Output over the limit is not discarded: the pipe stays full until the
 * window ends, so that a flood slows itself down and every line is kept.
 */
export class Throttle {
  readonly #limits: ThrottleLimits
  #windowStart = Number.NEGATIVE_INFINITY
  #lines = 0
  #bytes = 0

  constructor(limits: ThrottleLimits = DEFAULT_THROTTLE) {
    this.#limits = limits
  }

  /** Counts the output read at `nowMs`. Returns the pause in milliseconds, 0 for none. */
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

/** After this long without output a flood has ended. */
const FLOOD_ENDS_AFTER_MS = 1_000
const TELL_EVERY_MS = 10_000

/**
 * Console notes about throttled output: one when a flood begins, one with its counts when it ends or goes on for long
 * (rule P14).
 */
export class FloodNotice {
  #pausedAtMs: number | undefined
  #toldAtMs = 0
  #lines = 0
  #pausedMs = 0

  get isFlood(): boolean {
    return this.#pausedAtMs !== undefined
  }

  /** Counts read lines and the pause after them. Returns the note to show now. */
  read(lines: number, pauseMs: number, nowMs: number): NoteLine | undefined {
    const begins = this.#pausedAtMs === undefined && pauseMs > 0
    if (begins) this.#toldAtMs = nowMs
    if (pauseMs > 0) this.#pausedAtMs = nowMs
    if (this.#pausedAtMs !== undefined) this.#lines += lines
    this.#pausedMs += pauseMs
    return begins ? noteLine({ code: 'flood', params: {} }) : undefined
  }

  /** Called periodically during a flood, and at the end of the output with `isOver`. */
  look(nowMs: number, isOver = false): NoteLine | undefined {
    if (this.#pausedAtMs === undefined) return undefined
    const ends = isOver || nowMs - this.#pausedAtMs >= FLOOD_ENDS_AFTER_MS
    if (!ends && nowMs - this.#toldAtMs < TELL_EVERY_MS) return undefined
    const params = { seconds: Math.round(this.#pausedMs / 100) / 10, lines: this.#lines }
    this.#toldAtMs = nowMs
    this.#lines = 0
    this.#pausedMs = 0
    if (ends) this.#pausedAtMs = undefined
    return noteLine({ code: 'flood-counted', params })
  }
}
