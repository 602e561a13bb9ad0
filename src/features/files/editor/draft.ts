/** Text that was typed and not saved, kept in this browser. */
export type Draft = { readonly text: string; readonly etag: string; readonly atMs: number }
/** `id` is that of the window in which it was typed. */
export type KeptDraft = Draft & { readonly id: string }

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>
/** Whose draft it is, and of which file: two people may share a browser. */
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

const keysIn = (store: Store): string[] =>
  Array.from({ length: store.length }, (_, index) => store.key(index)).filter((key) => key !== null)

/**
 * The drafts of a browser. Each window has its own draft of a file, so that none replaces or forgets another one's. A browser without room
 * or storage keeps none, and the editor says so.
 */
export const draftsIn = (store: () => Store) => ({
  /** Those of all windows, newest first. */
  list: (place: DraftPlace): KeptDraft[] => {
    try {
      const prefix = prefixOf(place)
      const own = keysIn(store()).filter((key) => key.startsWith(prefix))
      return own
        .flatMap((key) => {
          const draft = parsed(store().getItem(key))
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
})

export const drafts = draftsIn(() => window.localStorage)
