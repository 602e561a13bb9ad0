/** Text that was typed and not saved, kept in this browser. */
export type Draft = { readonly text: string; readonly etag: string; readonly atMs: number }
/** `id` is that of the window in which it was typed. */
export type KeptDraft = Draft & { readonly id: string }

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>
/** The owner of a draft, and its file: two people may share a browser. */
export type DraftPlace = { readonly userId: string; readonly serverId: string; readonly path: string }

/** Encoded, so that no path begins like another one's drafts. */
const prefixOf = ({ userId, serverId, path }: DraftPlace): string =>
  `files-draft:${userId}:${serverId}:${encodeURIComponent(path)}:`

export const draftKey = (place: DraftPlace, id: string): string => prefixOf(place) + id

const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' &&
  value !== null &&
  'text' in value &&
  typeof value.text === 'string' &&
  'etag' in value &&
  typeof value.etag === 'string' &&
  'atMs' in value &&
  typeof value.atMs === 'number'

const parsed = (text: string | null): Draft | undefined => {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return isDraft(value) ? value : undefined
  } catch {
    return undefined
  }
}

const DAY_MS = 24 * 3_600_000
/** A person who has not come back to a text by then does not miss it. */
const KEPT_MS = 30 * DAY_MS
/** The most drafts of one file: each visit that is not saved leaves one. */
const KEPT_OF_FILE = 5
/** Every draft by its form now: person, server, path and window, none of which contains a colon. */
const FORM = /^(files-draft:[^:]*:[^:]*:[^:]*:)[^:]+$/u

const keysIn = (store: Store): string[] =>
  Array.from({ length: store.length }, (_, index) => store.key(index)).filter((key) => key !== null)

/** The keys of what nobody is offered any more, or would look for: drafts of earlier releases, old ones, and all but the newest of a file. */
const outdatedIn = (store: Store, nowMs: number): string[] => {
  const own = keysIn(store)
    .filter((key) => key.startsWith('files-draft:'))
    .map((key) => ({ key, place: FORM.exec(key)?.[1], atMs: parsed(store.getItem(key))?.atMs ?? 0 }))
    .sort((one, other) => other.atMs - one.atMs)
  const counts = new Map<string, number>()
  return own.flatMap(({ key, place, atMs }) => {
    if (place === undefined || nowMs - atMs > KEPT_MS) return [key]
    const count = (counts.get(place) ?? 0) + 1
    counts.set(place, count)
    return count > KEPT_OF_FILE ? [key] : []
  })
}

/**
 * The drafts of a browser. Each window has its own draft of a file, so that none replaces or forgets another one's. A browser without room
 * or storage keeps none, and the editor says so. At its first use a page removes what is outdated: windows that did so with each draft would
 * remove and keep each other's without an end.
 */
export const draftsIn = (storage: () => Store, now: () => number = Date.now) => {
  let isTidy = false
  const store = (): Store => {
    const found = storage()
    if (!isTidy) {
      isTidy = true
      for (const key of outdatedIn(found, now())) found.removeItem(key)
    }
    return found
  }
  return {
    /** Those of all windows, newest first. */
    list: (place: DraftPlace): KeptDraft[] => {
      try {
        const prefix = prefixOf(place)
        const from = store()
        const own = keysIn(from).filter((key) => key.startsWith(prefix))
        return own
          .flatMap((key) => {
            const draft = parsed(from.getItem(key))
            return draft === undefined ? [] : [{ ...draft, id: key.slice(prefix.length) }]
          })
          .sort((one, other) => other.atMs - one.atMs)
      } catch {
        return []
      }
    },
    /** Returns whether it is kept. */
    keep: (place: DraftPlace, { id, ...draft }: KeptDraft): boolean => {
      try {
        store().setItem(draftKey(place, id), JSON.stringify(draft))
        return true
      } catch {
        // Storage is full or switched off.
        return false
      }
    },
    forget: (place: DraftPlace, id: string): void => {
      try {
        store().removeItem(draftKey(place, id))
      } catch {
        // Where nothing can be removed, nothing was kept.
      }
    },
  }
}

export const drafts = draftsIn(() => window.localStorage)
