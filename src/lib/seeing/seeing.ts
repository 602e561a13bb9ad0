import { SEE_AS_HEADER } from '#contracts/panel/see-as.ts'

/** As whom this tab looks at the panel of a server. */
export type Seeing = { readonly serverId: string; readonly id: string; readonly name: string }

/**
 * Keeps as whom a tab looks, for as long as its page lives. It decides nothing: with the header of its calls the site answers as
 * to that collaborator, and refuses every change.
 */
export const createSeeing = () => {
  const listeners = new Set<() => void>()
  let seen: Seeing | null = null
  const set = (next: Seeing | null) => {
    if (next === seen) return
    seen = next
    for (const listener of listeners) listener()
  }
  return {
    get: () => seen,
    start: (next: Seeing) => set(next),
    stop: () => set(null),
    /** Calls about any server carry it: another server must not be changed either, from the files of this one for example. */
    headersFor: (path: string): Readonly<Record<string, string>> =>
      seen !== null && path.startsWith('/api/server/') ? { [SEE_AS_HEADER]: seen.id } : {},
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export const seeing = createSeeing()
