'use client'

import { useEffect, useState } from 'react'

const REST_MS = 300

/** What somebody types, once they rest: each letter would be a question of its own. */
export const useRested = (typed: string): string => {
  const [rested, setRested] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setRested(typed), REST_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return rested
}
