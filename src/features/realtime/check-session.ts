type SessionDeps = {
  /** Asks who is signed in; only the status counts. */
  readonly me: () => Promise<number>
  /** Whether the session could be renewed. */
  readonly refresh: () => Promise<boolean>
  readonly leave: () => void
}

/**
 * Before each connect (specification section 8): 401 or 403 leads to a refresh, a refused refresh to the login page and the
 * end of the link; any other trouble is taken for the network's and ignored.
 */
export const checkSession = async ({ me, refresh, leave }: SessionDeps): Promise<'go' | 'abort'> => {
  try {
    const status = await me()
    if (status !== 401 && status !== 403) return 'go'
    if (await refresh()) return 'go'
  } catch {
    return 'go'
  }
  leave()
  return 'abort'
}
