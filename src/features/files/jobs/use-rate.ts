'use client'
import { useEffect, useRef, useState } from 'react'

const RATE_OVER_MS = 4_000
const ENOUGH_MS = 500

/** Bytes a second over the last seconds; null until enough is known. */
export const useRate = (done: number): number | null => {
  const samples = useRef<readonly { atMs: number; done: number }[]>([])
  const [rate, setRate] = useState<number | null>(null)
  useEffect(() => {
    const atMs = performance.now()
    samples.current = [...samples.current.filter((one) => atMs - one.atMs < RATE_OVER_MS), { atMs, done }]
    const first = samples.current[0]
    if (first !== undefined && atMs - first.atMs > ENOUGH_MS)
      setRate(((done - first.done) * 1_000) / (atMs - first.atMs))
  }, [done])
  return rate
}
