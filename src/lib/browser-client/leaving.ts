/** Leaving the page; a second reason to leave finds the first one in progress. */
export type Leaving = {
  /** Opens the login page, which leads back here. */
  readonly goToLogin: () => void
  /**
   * Ends the session here and on the site, then opens the login page; without a response the cookie is left to expire.
   */
  readonly logOut: () => Promise<void>
}
type LeavingDeps = {
  /** Requests the end of the session. */
  readonly end: () => Promise<unknown>
  /** The path and query of the page. */
  readonly here: () => string
  readonly assign: (path: string) => void
}

/** The login page that leads back to `path`; only an own path is carried along. */
export const loginPath = (path: string): string =>
  path.startsWith('/') && !path.startsWith('//') ? `/auth/login?next=${encodeURIComponent(path)}` : '/auth/login'

/**
 * One departure at a time: the end of a session also arrives over the realtime link and as refused calls, before the
 * response of the call that ended it. A second navigation would abort the first. `reset` is for a page that the browser
 * shows again.
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
