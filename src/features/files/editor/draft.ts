/** Text that was typed and not saved, kept in this browser. */
export type Draft = { readonly text: string; readonly etag: string; readonly atMs: number }

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const keyOf = (serverId: string, path: string): string => `files-draft:${serverId}:${path}`

const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' &&
  value !== null &&
  'text' in value &&
  typeof value.text === 'string' &&
  'etag' in value &&
  typeof value.etag === 'string' &&
  'atMs' in value &&
  typeof value.atMs === 'number'

/** The drafts of a browser. A browser without room or storage keeps none, and the editor works without. */
export const draftsIn = (store: Store) => ({
  read: (serverId: string, path: string): Draft | undefined => {
    try {
      const value: unknown = JSON.parse(store.getItem(keyOf(serverId, path)) ?? 'null')
      return isDraft(value) ? value : undefined
    } catch {
      return undefined
    }
  },
  keep: (serverId: string, path: string, draft: Draft): void => {
    try {
      store.setItem(keyOf(serverId, path), JSON.stringify(draft))
    } catch {
      // Storage is full or switched off.
    }
  },
  forget: (serverId: string, path: string): void => {
    try {
      store.removeItem(keyOf(serverId, path))
    } catch {
      // As above.
    }
  },
})

export const drafts = () => draftsIn(window.localStorage)
