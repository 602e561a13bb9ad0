type SessionDeps = {
  /** Requests the signed-in person; only the status counts. */
  readonly me: () => Promise<number>
  /** Whether the session could be refreshed. */
  readonly refresh: () => Promise<boolean>
  readonly leave: () => void
}

/**
 * Before each connect (specification section 8): 401 or 403 causes a refresh, a refused refresh leads to the login page
 * and ends the link; any other failure counts as a network problem and is ignored.
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
