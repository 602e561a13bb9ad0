'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import type { Server } from '#contracts/http/server.ts'
import { serversQuery } from '@/lib/queries/queries.ts'
import { panelEntries } from './entries.ts'
import type { Entry } from './entries.ts'
import { useEntryGroups } from './outside-links.tsx'
import { searchAll } from './search.ts'
import type { MenuHit, SearchSources, SearchTicket } from './search.ts'

export type MenuEntryHit = MenuHit & { readonly entry: Entry }
export type Hit =
  | { readonly kind: 'servers'; readonly id: string; readonly link: string; readonly server: Server }
  | { readonly kind: 'tickets'; readonly id: string; readonly link: string; readonly ticket: SearchTicket }
  | { readonly kind: 'menu'; readonly id: string; readonly link: string; readonly menu: MenuEntryHit }

// Tickets do not exist yet; the group appears with their first list.
const noTickets: readonly SearchTicket[] = []

/** The menu's table for the search: entries and sub-entries with their displayed titles. */
const useMenu = (panelId: string | undefined): readonly MenuEntryHit[] => {
  const t = useTranslations('dashboard.entries')
  const groups = useEntryGroups()
  const entries = [...groups.flatMap((group) => group.entries), ...(panelId ? panelEntries(panelId) : [])]
  return entries.flatMap((entry) => [
    { id: entry.id, title: t(entry.title), link: entry.link, entry },
    ...entry.categories.map((sub) => ({ id: sub.link, title: t(sub.title), link: sub.link, entry })),
  ])
}

const hitsOf = ({ servers, tickets, menu }: SearchSources<Server, MenuEntryHit>): readonly Hit[] => [
  ...servers.map(
    (server) => ({ kind: 'servers', id: server.id, link: `/panel/${server.id}/console`, server }) as const,
  ),
  ...tickets.map(
    (ticket) => ({ kind: 'tickets', id: ticket.id, link: `/dashboard/ticket/${ticket.id}`, ticket }) as const,
  ),
  ...menu.map((found) => ({ kind: 'menu', id: found.id, link: found.link, menu: found }) as const),
]

/** The current results, in display order: servers, tickets, menu. */
export const useHits = (input: string, panelId: string | undefined): readonly Hit[] => {
  const servers = useQuery(serversQuery()).data ?? []
  const menu = useMenu(panelId)
  return hitsOf(searchAll(input, { servers, tickets: noTickets, menu }))
}
