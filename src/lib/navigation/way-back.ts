const storageKey = 'bakter:way-back'

/** Remembers the page that a payment was started from, until it is forgotten; without storage it does nothing. */
export const rememberWayBack = (path: string): void => {
  try {
    sessionStorage.setItem(storageKey, path)
  } catch {
    // Storage may be switched off; the result page then leads to the catalog.
  }
}

/** The page to return to after the payment, if it is one of ours. */
export const wayBack = (): string | null => {
  try {
    const path = sessionStorage.getItem(storageKey)
    return path !== null && /^\/(?![/\\])/.test(path) ? path : null
  } catch {
    return null
  }
}

export const forgetWayBack = (): void => {
  try {
    sessionStorage.removeItem(storageKey)
  } catch {
    // Nothing was stored either.
  }
}
