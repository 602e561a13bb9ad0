export interface Timers {
  /** Runs `action` once after `delayMs`. Returns the cancel function. */
  after(delayMs: number, action: () => void): () => void
  every(periodMs: number, action: () => void): () => void
}

export const systemTimers: Timers = {
  after: (delayMs, action) => {
    const timer = setTimeout(action, delayMs)
    return () => clearTimeout(timer)
  },
  every: (periodMs, action) => {
    const timer = setInterval(action, periodMs)
    return () => clearInterval(timer)
  },
}

/** Resolves after `delayMs`; never rejects. */
export const sleep = (timers: Timers, delayMs: number): Promise<void> =>
  new Promise((resolve) => {
    timers.after(delayMs, resolve)
  })
