import { screenTimes } from './screen-times.ts'

/** What of a window is needed; Safari has no idle callback. */
export type IdleWindow = {
  requestIdleCallback?: (run: () => void, options: { timeout: number }) => number
  cancelIdleCallback?: (handle: number) => void
  setTimeout: (run: () => void, delayMs: number) => number
  clearTimeout: (handle: number) => void
}

/** Runs once the browser has nothing to do, or after `prefetchIdleTimeoutMs`. Returns what calls it off. */
export const whenIdle = (view: IdleWindow, run: () => void): (() => void) => {
  const timeout = screenTimes.prefetchIdleTimeoutMs
  if (view.requestIdleCallback && view.cancelIdleCallback) {
    const handle = view.requestIdleCallback(run, { timeout })
    return () => view.cancelIdleCallback?.(handle)
  }
  const handle = view.setTimeout(run, timeout)
  return () => view.clearTimeout(handle)
}
