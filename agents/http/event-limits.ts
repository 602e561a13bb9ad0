import { PANEL_EVENT_LIMITS, PANEL_GLOBAL_LIMIT, type PanelClientEvent } from '#contracts/panel/messages.ts'
import type { Clock } from '../platform/clock.ts'

interface Bucket {
  tokens: number
  atMs: number
}

const take = (bucket: Bucket, limit: { readonly rate: number; readonly burst: number }, nowMs: number): boolean => {
  const elapsedMs = Math.max(0, nowMs - bucket.atMs)
  bucket.tokens = Math.min(limit.burst, bucket.tokens + (elapsedMs / 1_000) * limit.rate)
  bucket.atMs = nowMs
  if (bucket.tokens < 1) return false
  bucket.tokens -= 1
  return true
}

/** Pings and pongs that a peer sends; browsers send a pong for each of our pings. */
const CONTROL_LIMIT = { rate: 1, burst: 10 }

/** Token buckets of one socket. The set of events is fixed, so no client can make it grow. */
export class EventLimits {
  readonly #clock: Clock
  readonly #global: Bucket
  readonly #control: Bucket
  readonly #events: Readonly<Record<PanelClientEvent, Bucket>>
  #refused = 0

  constructor(clock: Clock) {
    this.#clock = clock
    const full = (burst: number): Bucket => ({ tokens: burst, atMs: clock.now() })
    this.#global = full(PANEL_GLOBAL_LIMIT.burst)
    this.#control = full(CONTROL_LIMIT.burst)
    this.#events = {
      auth: full(PANEL_EVENT_LIMITS.auth.burst),
      'send command': full(PANEL_EVENT_LIMITS['send command'].burst),
      'set state': full(PANEL_EVENT_LIMITS['set state'].burst),
      'send logs': full(PANEL_EVENT_LIMITS['send logs'].burst),
      'send history': full(PANEL_EVENT_LIMITS['send history'].burst),
      'send stats': full(PANEL_EVENT_LIMITS['send stats'].burst),
      'send stats history': full(PANEL_EVENT_LIMITS['send stats history'].burst),
    }
  }

  /** How many messages more were refused than passed: a flood is not calm because some of it fits the limits. */
  get refused(): number {
    return this.#refused
  }

  overControl(): boolean {
    return !take(this.#control, CONTROL_LIMIT, this.#clock.now())
  }

  /** The bucket that is empty, or undefined when the message may pass. */
  over(event: PanelClientEvent): PanelClientEvent | 'global' | undefined {
    const now = this.#clock.now()
    const full = !take(this.#global, PANEL_GLOBAL_LIMIT, now)
      ? 'global'
      : take(this.#events[event], PANEL_EVENT_LIMITS[event], now)
        ? undefined
        : event
    this.#refused = full === undefined ? Math.max(0, this.#refused - 1) : this.#refused + 1
    return full
  }
}
