'use client'
import { useEffect, useRef } from 'react'

/**
 * Calls `onReturn` when the browser restores a page from its cache (the back button): any departure from it has ended.
 */
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
