import { screenTimes } from './screen-times.ts'

export type HoldTimers = { set: (run: () => void, delayMs: number) => number; clear: (timer: number) => void }
/** `unseen`: loading, but nothing is shown yet. `seen`: the loading state is shown. `over`: the result is shown. */
export type HoldPhase = 'unseen' | 'seen' | 'over'

/**
 * When to show a loading state: late, so that a fast response does not flash, and long enough to be read once shown
 * (specification section 9). `begin` and `end` bracket the loading; `dispose` stops the timers.
 */
export const createLoadingHold = (timers: HoldTimers, onPhase: (phase: HoldPhase) => void) => {
  let phase: HoldPhase = 'over'
  let isLoading = false
  let isHeld = false
  let timer: number | null = null
  const become = (next: HoldPhase) => {
    if (next === phase) return
    phase = next
    onPhase(next)
  }
  const wait = (run: () => void, delayMs: number) => {
    if (timer !== null) timers.clear(timer)
    timer = timers.set(() => {
      timer = null
      run()
    }, delayMs)
  }
  const show = () => {
    isHeld = true
    become('seen')
    wait(() => {
      isHeld = false
      if (!isLoading) become('over')
    }, screenTimes.loadingAtLeastMs)
  }
  return {
    begin: () => {
      if (isLoading) return
      isLoading = true
      if (phase !== 'over') return
      become('unseen')
      wait(show, screenTimes.loadingAfterMs)
    },
    end: () => {
      isLoading = false
      if (isHeld) return
      if (timer !== null) timers.clear(timer)
      timer = null
      become('over')
    },
    dispose: () => {
      if (timer !== null) timers.clear(timer)
      timer = null
    },
  }
}
