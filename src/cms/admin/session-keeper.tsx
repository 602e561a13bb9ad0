'use client'

import { type ReactNode, useEffect } from 'react'
import { api } from '@/lib/browser-client/browser-client.ts'

const refreshEveryMs = 10 * 60 * 1000

const refresh = () => api.refresh().catch(() => false)

/** An access token expires after 15 minutes; an open page of the admin refreshes it before that. */
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
