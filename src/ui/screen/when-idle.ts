import { screenTimes } from './screen-times.ts'

/** The used part of a window; Safari has no idle callback. */
export type IdleWindow = {
  requestIdleCallback?: (run: () => void, options: { timeout: number }) => number
  cancelIdleCallback?: (handle: number) => void
  setTimeout: (run: () => void, delayMs: number) => number
  clearTimeout: (handle: number) => void
}

/** Runs once the browser is idle, or after `prefetchIdleTimeoutMs`. Returns the cancel function. */
export const whenIdle = (view: IdleWindow, run: () => void): (() => void) => {
  const timeout = screenTimes.prefetchIdleTimeoutMs
  if (view.requestIdleCallback && view.cancelIdleCallback) {
    const handle = view.requestIdleCallback(run, { timeout })
    return () => view.cancelIdleCallback?.(handle)
  }
  const handle = view.setTimeout(run, timeout)
  return () => view.clearTimeout(handle)
}
