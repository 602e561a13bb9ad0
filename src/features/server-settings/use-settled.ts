'use client'
import { useEffect, useState } from 'react'

/** So long nobody moved a slider before its price is asked for. */
const settledAfterMs = 250

/** A value that stands still: what changes many times in a row is taken once it rests. Compared as JSON. */
export const useSettled = <Value>(value: Value): Value => {
  const [settled, setSettled] = useState(value)
  const text = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as Value), settledAfterMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
