/** Lets a bounded number of calls run and a bounded number wait, so that a hanging engine cannot fill the memory. */
export class CallQueue {
  private readonly limits: { readonly running: number; readonly waiting: number }
  private running = 0
  private readonly waiting: (() => void)[] = []

  constructor(limits: { readonly running: number; readonly waiting: number }) {
    this.limits = limits
  }

  /** Resolves with how to give the place back, or with undefined at once when as many wait as may. */
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

  /** How many calls run and wait now. */
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
