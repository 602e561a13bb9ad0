import { createApiClient } from './request.ts'

/** The login page that leads back to `path`; only an own path is carried along. */
export const loginPath = (path: string): string =>
  path.startsWith('/') && !path.startsWith('//') ? `/auth/login?next=${encodeURIComponent(path)}` : '/auth/login'

export const goToLogin = (): void => {
  window.location.assign(loginPath(window.location.pathname + window.location.search))
}

export const api = createApiClient({
  fetch: (path, init) => window.fetch(path, init),
  onSessionEnd: goToLogin,
})

/** Ends the session here and on the site, then shows the login page; without an answer the cookie is left to expire. */
export const logOut = async (): Promise<void> => {
  try {
    await window.fetch('/api/auth/logout', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
      credentials: 'same-origin',
    })
  } finally {
    window.location.assign('/auth/login')
  }
}
