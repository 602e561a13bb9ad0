'use client'
import { useEffect, useState } from 'react'

/** The page's clock, updated every second while something shows it. */
export const useNow = (): number => {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = window.setInterval(() => setNowMs(Date.now()), 1_000)
    return () => window.clearInterval(timer)
  }, [])
  return nowMs
}
