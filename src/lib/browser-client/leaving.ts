/** What leaves a page, so that a second reason to leave it finds the first one under way. */
export type Leaving = {
  /** Shows the login page that leads back here. */
  readonly goToLogin: () => void
  /** Ends the session here and on the site, then shows the login page; without an answer the cookie is left to expire. */
  readonly logOut: () => Promise<void>
}
type LeavingDeps = {
  /** Asks the site to end the session. */
  readonly end: () => Promise<unknown>
  /** The path and query of the page. */
  readonly here: () => string
  readonly assign: (path: string) => void
}

/** The login page that leads back to `path`; only an own path is carried along. */
export const loginPath = (path: string): string =>
  path.startsWith('/') && !path.startsWith('//') ? `/auth/login?next=${encodeURIComponent(path)}` : '/auth/login'

/**
 * One leave at a time: the end of a session comes back over the realtime link and as refused calls, before the answer of the
 * call that asked for it. A second navigation would abort the first. `reset` is for a page that the browser shows again.
 */
export const createLeaving = ({ end, here, assign }: LeavingDeps): Leaving & { reset: () => void } => {
  let under: Promise<void> | null = null
  return {
    goToLogin: () => {
      if (under) return
      under = Promise.resolve()
      assign(loginPath(here()))
    },
    logOut: () => {
      under ??= (async () => {
        try {
          await end()
        } catch {
          // The cookie is left to expire.
        }
        assign('/auth/login')
      })()
      return under
    },
    reset: () => {
      under = null
    },
  }
}
