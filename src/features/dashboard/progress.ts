import { screenTimes } from '@/ui/screen/screen-times.ts'

export type ProgressTimers = { set: (run: () => void, delayMs: number) => number; clear: (timer: number) => void }

/**
 * The bar of a navigation (specification section 9): a navigation that is over within 200 ms shows none; one that takes
 * longer shows it until it is over, for 5 s at most. `start` while one runs begins the time anew.
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
