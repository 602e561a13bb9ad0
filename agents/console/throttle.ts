import { noteLine, type NoteLine } from './notes.ts'

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

/** Quiet for this long, a flood is over. */
const FLOOD_ENDS_AFTER_MS = 1_000
const TELL_EVERY_MS = 10_000

/**
 * Words for the console about output that is slowed down: one sentence when a flood begins, one with its counts when it
 * is over or goes on for long (rule P14).
 */
export class FloodNotice {
  #pausedAtMs: number | undefined
  #toldAtMs = 0
  #lines = 0
  #pausedMs = 0

  get isFlood(): boolean {
    return this.#pausedAtMs !== undefined
  }

  /** Counts lines that were read and how long the reading rests after them. Returns what is to be told now. */
  read(lines: number, pauseMs: number, nowMs: number): NoteLine | undefined {
    const begins = this.#pausedAtMs === undefined && pauseMs > 0
    if (begins) this.#toldAtMs = nowMs
    if (pauseMs > 0) this.#pausedAtMs = nowMs
    if (this.#pausedAtMs !== undefined) this.#lines += lines
    this.#pausedMs += pauseMs
    return begins ? noteLine({ code: 'flood', params: {} }) : undefined
  }

  /** To be asked now and then while there is a flood, and at the end of the output with `isOver`. */
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
