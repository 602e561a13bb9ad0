import { screenTimes } from '@/ui/screen/screen-times.ts'

export type ProgressTimers = { set: (run: () => void, delayMs: number) => number; clear: (timer: number) => void }

/**
 * The progress bar of a navigation (specification section 9): hidden if it finishes within 200 ms; otherwise shown
 * until it ends, for 5 s at most. `start` during a navigation restarts the time.
 */
export const createProgress = (timers: ProgressTimers, show: (isShown: boolean) => void) => {
  let timer: number | null = null
  const stop = () => {
    if (timer !== null) timers.clear(timer)
    timer = null
  }
  const end = () => {
    stop()
    show(false)
  }
  return {
    start: () => {
      end()
      timer = timers.set(() => {
        show(true)
        timer = timers.set(end, screenTimes.progressRunMs)
      }, screenTimes.progressThrottleMs)
    },
    end,
    dispose: stop,
  }
}
