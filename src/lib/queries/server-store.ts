import type { ServerWord } from '#domain/servers/status.ts'

/** The specification allows either name of the id. */
export type Listed = { id?: string | undefined; serverId?: string | undefined }

export const listedId = (entry: Listed): string | undefined => entry.id ?? entry.serverId

const contentKey = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

/**
 * Merges lists of servers: one entry for each id (or serverId), the later one wins but keeps the earlier position;
 * entries without either are one when their contents are equal (clarifications part 3).
 */
export const mergeServers = <Entry extends Listed>(...lists: readonly (readonly Entry[])[]): Entry[] => {
  const merged = new Map<string, Entry>()
  for (const entry of lists.flat()) {
    const id = listedId(entry)
    merged.set(id === undefined ? `content:${contentKey(entry)}` : `id:${id}`, entry)
  }
  return [...merged.values()]
}

/** The list with one server's state replaced; the same list when nothing changes, to avoid a render. */
export const withServerWord = <Entry extends Listed & { status: ServerWord }>(
  list: readonly Entry[],
  id: string,
  word: ServerWord,
): readonly Entry[] =>
  list.some((entry) => listedId(entry) === id && entry.status !== word)
    ? list.map((entry) => (listedId(entry) === id ? { ...entry, status: word } : entry))
    : list
