'use client'

import { useEffect, useState } from 'react'

const REST_MS = 300

/** Typed text, once typing pauses: otherwise each letter would be a request. */
export const useRested = (typed: string): string => {
  const [rested, setRested] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setRested(typed), REST_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return rested
}
