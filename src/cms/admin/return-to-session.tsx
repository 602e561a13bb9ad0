'use client'

import { useEffect } from 'react'
import { api } from '@/lib/browser-client/browser-client.ts'
import { loginPath } from '@/lib/browser-client/leaving.ts'

/**
 * Stands in for the admin while nobody is known: trades the refresh token in and loads the page again, or goes to the login
 * when that is refused too. Nothing of the admin is sent before.
 */
export const ReturnToSession = () => {
  useEffect(() => {
    const here = `${window.location.pathname}${window.location.search}`
    void api
      .refresh()
      .catch(() => false)
      .then((isBack) => (isBack ? window.location.reload() : window.location.replace(loginPath(here))))
  }, [])
  return null
}
