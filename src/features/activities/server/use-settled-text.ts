'use client'
import { useEffect, useState } from 'react'

const SETTLE_MS = 300

/** A text once nothing has been typed for a moment. */
export const useSettledText = (text: string): string => {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
