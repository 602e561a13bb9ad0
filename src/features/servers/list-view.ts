import type { ServerLayout } from '#contracts/http/server-layout.ts'
import { arranged, type ServerGroup } from '#domain/servers/list-layout.ts'
import { shownWordOf } from '#domain/servers/status.ts'
import type { ServerWord, ShownWord } from '#domain/servers/status.ts'
import { serverAddress } from '@/lib/format/plate-text.ts'
import { attentionOf, isTroubled } from './list/attention.ts'

export const listFilters = ['all', 'running', 'attention', 'stopped'] as const
export type ListFilter = (typeof listFilters)[number]
export const listSorts = ['own', 'name', 'status', 'expiry', 'game', 'node'] as const
export type ListSort = (typeof listSorts)[number]

type Row = {
  name: string
  identifier: string
  status: ServerWord
  expiry: string
  ip: string
  port: number | null
  serviceName?: string
  computer?: { name: string }
}

const stopped: readonly ShownWord[] = ['offline', 'healthy', 'stopping']

type Shown = { readonly word: ShownWord; readonly expiry: string; readonly nowMs: number }

export const matchesFilter = ({ word, expiry, nowMs }: Shown, filter: ListFilter): boolean => {
  if (filter === 'running') return word === 'running' || word === 'starting'
  if (filter === 'attention') return attentionOf({ word, expiry }, nowMs) !== undefined
  return filter === 'all' || stopped.includes(word)
}

const rank = (word: ShownWord) => (isTroubled(word) ? 0 : stopped.includes(word) ? 2 : 1)

export type ListView = {
  readonly filter: ListFilter
  readonly sort: ListSort
  readonly search: string
  /** The name of a service; empty for all. */
  readonly game?: string
  readonly locale: string
  readonly nowMs: number
  /** The states by which the list was last sorted and filtered, by server: rows must not move under the pointer. */
  readonly heldWords?: ReadonlyMap<string, ShownWord>
}

const textOf = (server: Row) =>
  `${server.name} ${server.identifier} ${serverAddress(server) ?? ''} ${server.serviceName ?? ''} ${server.computer?.name ?? ''}`

/**
 * The displayed list: filtered, searched by name, identifier, address, game or machine, and sorted in the reader's language.
 * The reader's own order is that of `servers`.
 */
export const viewOf = <Server extends Row & { id?: string }>(
  servers: readonly Server[],
  view: ListView,
): readonly Server[] => {
  const collator = new Intl.Collator(view.locale, { numeric: true })
  const wordOf = (server: Server) => view.heldWords?.get(server.id ?? '') ?? shownWordOf(server, view.nowMs)
  const wanted = view.search.trim().toLowerCase()
  const found = servers
    .filter((server) => matchesFilter({ word: wordOf(server), expiry: server.expiry, nowMs: view.nowMs }, view.filter))
    .filter((server) => !view.game || server.serviceName === view.game)
    .filter((server) => textOf(server).toLowerCase().includes(wanted))
  if (view.sort === 'own') return found
  const byText = (one = '', other = '') => collator.compare(one, other)
  return found.toSorted((a, b) => {
    const byName = () => byText(a.name, b.name)
    if (view.sort === 'status') return rank(wordOf(a)) - rank(wordOf(b)) || byName()
    if (view.sort === 'expiry') return a.expiry.localeCompare(b.expiry) || byName()
    if (view.sort === 'game') return byText(a.serviceName, b.serviceName) || byName()
    if (view.sort === 'node') return byText(a.computer?.name, b.computer?.name) || byName()
    return byName()
  })
}

export type ListSection<Server> = {
  /** Null for the servers without a group. */
  readonly group: ServerGroup | null
  readonly servers: readonly Server[]
}

/** The list by groups, each in the order of the view. While something is searched or filtered, groups without a match are left out. */
export const sectionsOf = <Server extends Row & { id: string }>(
  servers: readonly Server[],
  layout: ServerLayout,
  view: ListView,
): readonly ListSection<Server>[] => {
  const known = new Map(servers.map((server) => [server.id, server]))
  const own = arranged(
    layout,
    servers.map(({ id }) => id),
  )
  const shown = (ids: readonly string[]) =>
    viewOf(
      ids.flatMap((id) => known.get(id) ?? []),
      view,
    )
  const isWhole = view.filter === 'all' && view.search.trim() === '' && !view.game
  const groups = own.groups.map((group): ListSection<Server> => ({ group, servers: shown(group.servers) }))
  const loose: ListSection<Server> = { group: null, servers: shown(own.loose) }
  return [
    ...groups.filter((section) => isWhole || section.servers.length > 0),
    ...(loose.servers.length > 0 ? [loose] : []),
  ]
}

/** Whether both show the same servers at the same places. */
export const isSameOrder = <Server extends { id: string }>(
  one: readonly ListSection<Server>[],
  other: readonly ListSection<Server>[],
): boolean => {
  const places = (sections: readonly ListSection<Server>[]) =>
    sections.flatMap((section) => [section.group?.id ?? '', ...section.servers.map(({ id }) => id)]).join(' ')
  return places(one) === places(other)
}
