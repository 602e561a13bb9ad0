'use client'
import { usePathname, useSearchParams } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { onNavigation } from '@/lib/navigation/navigation-start.ts'
import { createProgress } from './progress.ts'

const timers = {
  set: (run: () => void, delayMs: number) => window.setTimeout(run, delayMs),
  clear: (timer: number) => window.clearTimeout(timer),
}

/** A line at the top while the next page is loading. It announces nothing: the new page's title does. */
export const NavigationBar = () => {
  const [isShown, setShown] = useState(false)
  const progress = useRef<ReturnType<typeof createProgress> | null>(null)
  const path = usePathname()
  const query = useSearchParams().toString()
  useEffect(() => {
    const made = createProgress(timers, setShown)
    progress.current = made
    const forget = onNavigation(made.start)
    return () => {
      forget()
      made.dispose()
    }
  }, [])
  useEffect(() => progress.current?.end(), [path, query])
  return isShown ? <div className="nav-bar" aria-hidden="true" /> : null
}
