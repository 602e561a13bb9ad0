'use client'

import { type ReactNode, useEffect } from 'react'

const refreshEveryMs = 10 * 60 * 1000

const refresh = () =>
  fetch('/api/auth/refresh', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }).catch(
    () => null,
  )

/** An access token lives 15 minutes; a page of the admin that stays open trades it in before that. */
export const SessionKeeper = ({ children }: { children?: ReactNode }) => {
  useEffect(() => {
    const timer = setInterval(() => void refresh(), refreshEveryMs)
    const onVisible = () => {
      if (document.visibilityState === 'visible') void refresh()
    }
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [])
  return <>{children}</>
}
