'use client'

import { useEffect } from 'react'

/**
 * Stands in for the admin while nobody is known: trades the refresh token in and loads the page again, or goes to the login
 * when that is refused too. Nothing of the admin is sent before.
 */
export const ReturnToSession = () => {
  useEffect(() => {
    const here = `${window.location.pathname}${window.location.search}`
    void fetch('/api/auth/refresh', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
      .then((answer) => answer.ok)
      .catch(() => false)
      .then((isBack) =>
        isBack ? window.location.reload() : window.location.replace(`/auth/login?next=${encodeURIComponent(here)}`),
      )
  }, [])
  return null
}
