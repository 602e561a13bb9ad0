import type { Timers } from '../../agents/platform/timers.ts'

import type { ManualClock } from '../setup/manual-clock.ts'

interface Entry {
  dueMs: number
  readonly run: () => void
  readonly periodMs: number | undefined
}

/** Timers that fire only when the test advances the clock. */
export class ManualTimers implements Timers {
  readonly #clock: ManualClock
  readonly #entries = new Set<Entry>()

  constructor(clock: ManualClock) {
    this.#clock = clock
  }

  after = (delayMs: number, run: () => void): (() => void) => this.#add(delayMs, run, undefined)
  every = (periodMs: number, run: () => void): (() => void) => this.#add(periodMs, run, periodMs)

  /** Advances the clock and fires the due timers in order. */
  async advance(ms: number): Promise<void> {
    const end = this.#clock.now() + ms
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve))
      const due = [...this.#entries].filter((entry) => entry.dueMs <= end).sort((a, b) => a.dueMs - b.dueMs)[0]
      if (due === undefined) break
      this.#clock.set(Math.max(this.#clock.now(), due.dueMs))
      if (due.periodMs === undefined) this.#entries.delete(due)
      else due.dueMs += due.periodMs
      due.run()
    }
    this.#clock.set(end)
    await new Promise((resolve) => setImmediate(resolve))
  }

  #add(delayMs: number, run: () => void, periodMs: number | undefined): () => void {
    const entry: Entry = { dueMs: this.#clock.now() + delayMs, run, periodMs }
    this.#entries.add(entry)
    return () => void this.#entries.delete(entry)
  }
}
