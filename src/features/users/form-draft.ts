/** Names of drafts that survive a change of language. Passwords and codes are never stored. */
export type DraftName = 'login' | 'register' | 'verify' | 'contact' | 'newEmail'
const keyOf = (name: DraftName) => `bakter:draft:${name}`

/** Stores the input until the same form is shown in the other language; without storage it is lost. */
export const keepDraft = (name: DraftName, values: Readonly<Record<string, string | boolean>>) => {
  try {
    sessionStorage.setItem(keyOf(name), JSON.stringify(values))
  } catch {
    // Storage may be switched off or full; the form then starts empty in the other language.
  }
}

/** Removes the draft, so that it is used once. */
export const takeDraft = (name: DraftName): Record<string, unknown> => {
  try {
    const kept = sessionStorage.getItem(keyOf(name))
    sessionStorage.removeItem(keyOf(name))
    const values: unknown = kept === null ? null : JSON.parse(kept)
    return typeof values === 'object' && values !== null ? { ...values } : {}
  } catch {
    return {}
  }
}
