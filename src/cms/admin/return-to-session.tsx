'use client'

import { useEffect } from 'react'
import { api } from '@/lib/browser-client/browser-client.ts'
import { loginPath } from '@/lib/browser-client/leaving.ts'

/**
 * Replaces the admin while the session is unknown: refreshes the token and reloads the page, or redirects to the login
 * if that is refused too. Nothing of the admin is sent before.
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
