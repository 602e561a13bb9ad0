import type { Clock } from '#platform/clock.ts'
import { addressKey } from '#platform/address-key.ts'

/** Clarifications, part 5: five tries, then a minute. */
const MAX_TRIES = 5
const WAIT_MS = 60_000
const MAX_KNOWN = 10_000

interface Tries {
  failures: number
  lastMs: number
}

/** Counts failed sign-ins of an address, so that nobody guesses passwords here; the site counts those of an account. */
export class LoginThrottle {
  readonly #clock: Clock
  readonly #known = new Map<string, Tries>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whether the address may try now. */
  mayTry(address: string): boolean {
    const tries = this.#current(addressKey(address))
    return tries === undefined || tries.failures < MAX_TRIES
  }

  failed(address: string): void {
    const key = addressKey(address)
    const tries = this.#current(key) ?? { failures: 0, lastMs: 0 }
    tries.failures += 1
    tries.lastMs = this.#clock.now()
    // The newest stand last.
    this.#known.delete(key)
    this.#known.set(key, tries)
    const [oldest] = this.#known.keys()
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest)
  }

  succeeded(address: string): void {
    this.#known.delete(addressKey(address))
  }

  #current(key: string): Tries | undefined {
    const tries = this.#known.get(key)
    if (tries === undefined || this.#clock.now() - tries.lastMs < WAIT_MS) return tries
    this.#known.delete(key)
    return undefined
  }
}
