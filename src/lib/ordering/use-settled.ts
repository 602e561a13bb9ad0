'use client'
import { useEffect, useState } from 'react'

const settledAfterMs = 200

/** A debounced value: a series of changes yields the last one. Values are compared as JSON. */
export const useSettled = <Value>(value: Value): Value => {
  const text = JSON.stringify({ value })
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settledAfterMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled === text ? value : (JSON.parse(settled) as { value: Value }).value
}
