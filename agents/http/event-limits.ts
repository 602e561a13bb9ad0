import { PANEL_EVENT_LIMITS, PANEL_GLOBAL_LIMIT, type PanelClientEvent } from '#contracts/panel/messages.ts'
import type { Clock } from '#platform/clock.ts'
import { TokenBucket } from '#platform/token-bucket.ts'

/** Pings and pongs of a peer; browsers send a pong for each of our pings. */
const CONTROL_LIMIT = { rate: 1, burst: 10 }

type PerSecond = { readonly rate: number; readonly burst: number }
const full = (limit: PerSecond): TokenBucket => new TokenBucket({ ...limit, seconds: 1 })

/** Token buckets of one socket. The set of events is fixed, so that no client can make it grow. */
export class EventLimits {
  readonly #clock: Clock
  readonly #global: TokenBucket
  readonly #control: TokenBucket
  readonly #events: Readonly<Record<PanelClientEvent, TokenBucket>>
  #refused = 0

  constructor(clock: Clock) {
    this.#clock = clock
    this.#global = full(PANEL_GLOBAL_LIMIT)
    this.#control = full(CONTROL_LIMIT)
    this.#events = {
      auth: full(PANEL_EVENT_LIMITS.auth),
      'send command': full(PANEL_EVENT_LIMITS['send command']),
      'set state': full(PANEL_EVENT_LIMITS['set state']),
      'send logs': full(PANEL_EVENT_LIMITS['send logs']),
      'send history': full(PANEL_EVENT_LIMITS['send history']),
      'send stats': full(PANEL_EVENT_LIMITS['send stats']),
      'send stats history': full(PANEL_EVENT_LIMITS['send stats history']),
    }
  }

  /** Refused messages minus accepted ones: a flood is not over because a part of it fits the limits. */
  get refused(): number {
    return this.#refused
  }

  overControl(): boolean {
    return !this.#control.take(this.#clock.now())
  }

  /** The exhausted bucket, or undefined if the message may pass. */
  over(event: PanelClientEvent): PanelClientEvent | 'global' | undefined {
    const now = this.#clock.now()
    const emptied = !this.#global.take(now) ? 'global' : this.#events[event].take(now) ? undefined : event
    this.#refused = emptied === undefined ? Math.max(0, this.#refused - 1) : this.#refused + 1
    return emptied
  }
}
