import { hasRefusalLine, REFUSED_LINES, REFUSED_LINES_WITHIN_MS } from '#contracts/logins/refused-lines.ts'
import type { Clock } from '#platform/clock.ts'

/** The person who was refused longest ago is forgotten first. */
const MAX_KNOWN = 10_000

/** Bounds the lines about refused requests: a client that repeats them does not fill the log of a server. */
export class DeniedLines {
  readonly #clock: Clock
  readonly #times = new Map<string, readonly number[]>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whether this refusal has a line; the line counts. */
  take({ serverId, userId }: { readonly serverId: string; readonly userId: string }): boolean {
    const nowMs = this.#clock.now()
    const key = `${serverId} ${userId}`
    const earlier = this.#times.get(key) ?? []
    if (!hasRefusalLine(earlier, nowMs)) return false
    this.#times.delete(key)
    this.#times.set(
      key,
      [...earlier.filter((atMs) => atMs > nowMs - REFUSED_LINES_WITHIN_MS), nowMs].slice(-REFUSED_LINES),
    )
    const [oldest] = this.#times.keys()
    if (this.#times.size > MAX_KNOWN && oldest !== undefined) this.#times.delete(oldest)
    return true
  }
}
