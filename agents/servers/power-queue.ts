export type QueueEnd<T> =
  { readonly is: 'done'; readonly value: T } | { readonly is: 'superseded' } | { readonly is: 'full' }

const MAX_WAITING = 8

interface Waiting<T> {
  readonly run: () => Promise<T>
  readonly settle: (end: QueueEnd<T>) => void
  readonly fail: (error: unknown) => void
}

/**
 * Runs one action of a server at a time, in order of arrival. An urgent action (kill) runs at once, beside the running
 * one, and queued actions are superseded: nobody who kills a server wants the start that was queued earlier.
 */
export class PowerQueue<T> {
  #waiting: Waiting<T>[] = []
  #busy = false

  get idle(): boolean {
    return !this.#busy && this.#waiting.length === 0
  }

  /** Resolves with the action's value, or with the fact that it never ran. Rejects with the action's exception. */
  add(run: () => Promise<T>): Promise<QueueEnd<T>> {
    if (this.#waiting.length >= MAX_WAITING) return Promise.resolve({ is: 'full' })
    return new Promise((settle, fail) => {
      this.#waiting.push({ run, settle, fail })
      void this.#next()
    })
  }

  async urgent(run: () => Promise<T>): Promise<QueueEnd<T>> {
    this.supersedeWaiting()
    return { is: 'done', value: await run() }
  }

  supersedeWaiting(): void {
    const superseded = this.#waiting
    this.#waiting = []
    for (const entry of superseded) entry.settle({ is: 'superseded' })
  }

  async #next(): Promise<void> {
    if (this.#busy) return
    const entry = this.#waiting.shift()
    if (entry === undefined) return
    this.#busy = true
    try {
      entry.settle({ is: 'done', value: await entry.run() })
    } catch (error) {
      entry.fail(error)
    } finally {
      this.#busy = false
      void this.#next()
    }
  }
}
