'use client'
import { useEffect, useRef } from 'react'

/** Calls `onReturn` when the browser shows a kept page again (the back button): what was on its way out of it is over. */
export const usePageReturn = (onReturn: () => void): void => {
  const latest = useRef(onReturn)
  useEffect(() => {
    latest.current = onReturn
  })
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => {
      if (event.persisted) latest.current()
    }
    window.addEventListener('pageshow', onShow)
    return () => window.removeEventListener('pageshow', onShow)
  }, [])
}
