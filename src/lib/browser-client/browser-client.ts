import { seeing } from '../seeing/seeing.ts'
import { answerAge } from './answer-age.ts'
import { createLeaving } from './leaving.ts'
import { createApiClient } from './request.ts'
import { sendWithProgress } from './send-with-progress.ts'

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
// The browser may keep a left page in its cache, and show it again as it was.
if (typeof window !== 'undefined') window.addEventListener('pageshow', leaving.reset)

export const { goToLogin, logOut } = leaving

export const api = createApiClient({
  fetch: async (path, init, onSent) => {
    const seen = { ...init, headers: { ...init.headers, ...seeing.headersFor(path) } }
    const response = await (onSent === undefined ? window.fetch(path, seen) : sendWithProgress(path, seen, onSent))
    if (response.ok) answerAge.note(path, response.headers.get('age'))
    return response
  },
  onSessionEnd: goToLogin,
})

/** The status of this browser's session, without a refresh and without the way to the login page. */
export const sessionStatus = async (): Promise<number> => {
  const response = await window.fetch('/api/user/me', { credentials: 'same-origin' })
  // An unread body would keep its connection open.
  await response.body?.cancel()
  return response.status
}

/** A request to a node, which is another origin: it carries no session, and its answer is none of the API's. */
export const askNode = (url: string, init: RequestInit): Promise<Response> =>
  window.fetch(url, { ...init, credentials: 'omit' })
