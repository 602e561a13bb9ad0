import { answerAge } from './answer-age.ts'
import { createLeaving } from './leaving.ts'
import { createApiClient } from './request.ts'

const leaving = createLeaving({
  end: () =>
    window.fetch('/api/auth/logout', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
      credentials: 'same-origin',
    }),
  here: () => window.location.pathname + window.location.search,
  assign: (path) => window.location.assign(path),
})
// The browser may keep a page that was left, and show it again as it was.
if (typeof window !== 'undefined') window.addEventListener('pageshow', leaving.reset)

export const { goToLogin, logOut } = leaving

export const api = createApiClient({
  fetch: async (path, init) => {
    const response = await window.fetch(path, init)
    if (response.ok) answerAge.note(path, response.headers.get('age'))
    return response
  },
  onSessionEnd: goToLogin,
})

/** What the site answers to the session of this browser, as it is: nothing is renewed and nobody is sent to the login page. */
export const sessionStatus = async (): Promise<number> => {
  const response = await window.fetch('/api/user/me', { credentials: 'same-origin' })
  // A body that nobody reads would keep its connection.
  await response.body?.cancel()
  return response.status
}
