'use client'
import { useEffect, useState } from 'react'

/** How long the sliders must rest before a price is requested. */
const settledAfterMs = 250

/** The value, debounced: it updates once the input has stopped changing. Compared as JSON. */
export const useSettled = <Value>(value: Value): Value => {
  const [settled, setSettled] = useState(value)
  const text = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as Value), settledAfterMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
