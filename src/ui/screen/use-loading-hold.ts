'use client'
import { useEffect, useRef, useState } from 'react'
import { createLoadingHold } from './loading-hold.ts'
import type { HoldPhase } from './loading-hold.ts'

const timers = {
  set: (run: () => void, delayMs: number) => window.setTimeout(run, delayMs),
  clear: (timer: number) => window.clearTimeout(timer),
}

/** The phase of a loading state; data that is ready at once was never loading. */
export const useLoadingHold = (isLoading: boolean): HoldPhase => {
  const [phase, setPhase] = useState<HoldPhase>(isLoading ? 'unseen' : 'over')
  const hold = useRef<ReturnType<typeof createLoadingHold> | null>(null)
  useEffect(() => {
    const made = createLoadingHold(timers, setPhase)
    hold.current = made
    return () => made.dispose()
  }, [])
  useEffect(() => {
    if (isLoading) hold.current?.begin()
    else hold.current?.end()
  }, [isLoading])
  return phase
}
