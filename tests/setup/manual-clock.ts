/** A clock that only the test moves. Times are milliseconds since 1970, UTC. */
export class ManualClock {
  #nowMs: number
  #waiting: { dueMs: number; run: () => void }[] = []

  constructor(start: number | string = '2026-01-01T00:00:00Z') {
    this.#nowMs = typeof start === 'number' ? start : Date.parse(start)
  }

  now = (): number => this.#nowMs

  set(time: number | string): void {
    this.#nowMs = typeof time === 'number' ? time : Date.parse(time)
    this.#runDue()
  }

  advance(ms: number): void {
    this.set(this.#nowMs + ms)
  }

  /** Resolves once the clock has been moved past the delay; rejects when the signal aborts. */
  sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((done, fail) => {
      const entry = { dueMs: this.#nowMs + ms, run: done }
      this.#waiting.push(entry)
      signal?.addEventListener('abort', () => {
        this.#waiting = this.#waiting.filter((other) => other !== entry)
        fail(signal.reason)
      })
      this.#runDue()
    })

  /** The number of waiting callers. */
  get sleepers(): number {
    return this.#waiting.length
  }

  #runDue(): void {
    const due = this.#waiting.filter((entry) => entry.dueMs <= this.#nowMs).sort((a, b) => a.dueMs - b.dueMs)
    this.#waiting = this.#waiting.filter((entry) => entry.dueMs > this.#nowMs)
    for (const entry of due) entry.run()
  }
}
