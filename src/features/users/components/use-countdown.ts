import { useCallback, useEffect, useState } from 'react'

/** Remaining seconds, and how to start them. They follow the clock, so that a sleeping tab is right when it wakes. */
export const useCountdown = (): readonly [number, (seconds: number) => void] => {
  const [untilMs, setUntilMs] = useState(0)
  const [seconds, setSeconds] = useState(0)
  const start = useCallback((count: number) => {
    setUntilMs(Date.now() + count * 1_000)
    setSeconds(count)
  }, [])
  useEffect(() => {
    if (untilMs === 0) return
    const tick = () => {
      const left = Math.max(0, Math.ceil((untilMs - Date.now()) / 1_000))
      setSeconds(left)
      if (left === 0) setUntilMs(0)
    }
    const timer = setInterval(tick, 500)
    return () => clearInterval(timer)
  }, [untilMs])
  return [seconds, start]
}
