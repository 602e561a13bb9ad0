'use client'
import { useEffect, useState } from 'react'

/** How long the sliders must rest before a price is requested. */
const settledAfterMs = 250

/** A settled value: one that changes many times in a row is taken once it rests. Compared as JSON. */
export const useSettled = <Value>(value: Value): Value => {
  const [settled, setSettled] = useState(value)
  const text = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as Value), settledAfterMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
