/** Bounds the running and the waiting calls, so that a hanging engine cannot fill the memory. */
export class CallQueue {
  private readonly limits: { readonly running: number; readonly waiting: number }
  private running = 0
  private readonly waiting: (() => void)[] = []

  constructor(limits: { readonly running: number; readonly waiting: number }) {
    this.limits = limits
  }

  /** Resolves with the release function, or at once with undefined when the queue is full. */
  async enter(signal: AbortSignal): Promise<(() => void) | undefined> {
    if (this.running < this.limits.running) {
      this.running += 1
      return this.leaveOnce()
    }
    if (this.waiting.length >= this.limits.waiting || signal.aborted) return undefined
    const isIn = await new Promise<boolean>((resolve) => {
      const enter = (): void => {
        signal.removeEventListener('abort', giveUp)
        resolve(true)
      }
      const giveUp = (): void => {
        this.waiting.splice(this.waiting.indexOf(enter), 1)
        resolve(false)
      }
      this.waiting.push(enter)
      signal.addEventListener('abort', giveUp, { once: true })
    })
    return isIn ? this.leaveOnce() : undefined
  }

  /** How many calls are running and waiting. */
  size(): { readonly running: number; readonly waiting: number } {
    return { running: this.running, waiting: this.waiting.length }
  }

  private leaveOnce(): () => void {
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      const next = this.waiting.shift()
      if (next) next()
      else this.running -= 1
    }
  }
}
