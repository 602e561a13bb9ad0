import { shownWordOf } from '#domain/servers/status.ts'
import type { ServerWord, ShownWord } from '#domain/servers/status.ts'
import { serverAddress } from '@/lib/format/plate-text.ts'

export const listFilters = ['all', 'running', 'attention', 'stopped'] as const
export type ListFilter = (typeof listFilters)[number]
export const listSorts = ['name', 'status', 'expiry'] as const
export type ListSort = (typeof listSorts)[number]

type Row = { name: string; identifier: string; status: ServerWord; expiry: string; ip: string; port: number | null }

const attention: readonly ShownWord[] = [
  'expired',
  'crashed',
  'error on startup',
  'nodeoffline',
  'unknown',
  'suspended',
]
const stopped: readonly ShownWord[] = ['offline', 'healthy', 'stopping']

export const matchesFilter = (word: ShownWord, filter: ListFilter): boolean => {
  if (filter === 'running') return word === 'running' || word === 'starting'
  if (filter === 'attention') return attention.includes(word)
  return filter === 'all' || stopped.includes(word)
}

const rank = (word: ShownWord) => (attention.includes(word) ? 0 : stopped.includes(word) ? 2 : 1)

/** The displayed list: filtered, searched by name, identifier or address, and sorted in the reader's language. */
export const viewOf = <Server extends Row>(
  servers: readonly Server[],
  view: { filter: ListFilter; sort: ListSort; search: string; locale: string; nowMs: number },
): readonly Server[] => {
  const collator = new Intl.Collator(view.locale, { numeric: true })
  const wordOf = (server: Server) => shownWordOf(server, view.nowMs)
  const wanted = view.search.trim().toLowerCase()
  const byName = (a: Server, b: Server) => collator.compare(a.name, b.name)
  return servers
    .filter((server) => matchesFilter(wordOf(server), view.filter))
    .filter((server) =>
      `${server.name} ${server.identifier} ${serverAddress(server) ?? ''}`.toLowerCase().includes(wanted),
    )
    .toSorted((a, b) => {
      if (view.sort === 'status') return rank(wordOf(a)) - rank(wordOf(b)) || byName(a, b)
      if (view.sort === 'expiry') return a.expiry.localeCompare(b.expiry) || byName(a, b)
      return byName(a, b)
    })
}
