import type { Timers } from '../platform/timers.ts'

export interface GateLimits {
  /** Maximum number of servers starting at the same time. */
  readonly atOnce: number
  /** Delay between two starts. */
  readonly spacingMs: number
  /** A server that is still starting after this time no longer blocks others. */
  readonly slotMs: number
}

export const GATE_LIMITS: GateLimits = { atOnce: 3, spacingMs: 1_000, slotMs: 60_000 }

interface Entry {
  readonly begin: (release: () => void) => void
}

/**
 * Starts a few servers at a time when nobody waits for them: after a restart of the machine, after crashes, and when
 * the control plane finds many that should run. A slot is free again when its server has finished starting, so that a
 * slow disk slows the next ones down instead of facing all of them at once.
 */
export class StartGate {
  readonly #timers: Timers
  readonly #limits: GateLimits
  readonly #waiting = new Set<Entry>()
  #isOpen: boolean
  #taken = 0
  #pausing = false

  constructor(timers: Timers, options: { readonly limits?: GateLimits; readonly isOpen?: boolean } = {}) {
    this.#timers = timers
    this.#limits = options.limits ?? GATE_LIMITS
    this.#isOpen = options.isOpen ?? true
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /** Lets the queue through. A closed gate holds everything back. */
  open(): void {
    this.#isOpen = true
    this.#next()
  }

  /** Calls `begin` in turn, with the function that releases the slot. Returns the function that leaves the queue. */
  enter(begin: Entry['begin']): () => void {
    const entry: Entry = { begin }
    this.#waiting.add(entry)
    this.#next()
    return () => void this.#waiting.delete(entry)
  }

  #next(): void {
    if (!this.#isOpen || this.#pausing || this.#taken >= this.#limits.atOnce) return
    const [entry] = this.#waiting
    if (entry === undefined) return
    this.#waiting.delete(entry)
    this.#taken += 1
    this.#pausing = true
    this.#timers.after(this.#limits.spacingMs, () => {
      this.#pausing = false
      this.#next()
    })
    let released = false
    const release = (): void => {
      if (released) return
      released = true
      cancel()
      this.#taken -= 1
      this.#next()
    }
    const cancel = this.#timers.after(this.#limits.slotMs, release)
    entry.begin(release)
  }
}
