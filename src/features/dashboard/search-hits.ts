'use client'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { guidePath, GUIDE_TOPICS, type GuideTopic } from '#contracts/guides/topics.ts'
import type { Server } from '#contracts/http/server.ts'
import { discordQuery, isDiscordShown } from '@/lib/queries/discord-query.ts'
import { foundTicketsQuery } from '@/lib/queries/found-tickets-query.ts'
import { guidesQuery } from '@/lib/queries/guides-query.ts'
import { serversQuery } from '@/lib/queries/queries.ts'
import { serverAddress } from '@/lib/format/plate-text.ts'
import { besideBalance, guidesEntry, panelEntries } from './entries.ts'
import type { Entry } from './entries.ts'
import { useEntryGroups } from './outside-links.tsx'
import { searchAll } from './search.ts'
import type { MenuHit, SearchSources, SearchTicket } from './search.ts'

/** `sub` says below the title which page a part belongs to. */
export type MenuEntryHit = MenuHit & { readonly entry: Entry; readonly sub?: string }
export type Hit =
  | { readonly kind: 'servers'; readonly id: string; readonly link: string; readonly server: Server }
  | { readonly kind: 'tickets'; readonly id: string; readonly link: string; readonly ticket: SearchTicket }
  | { readonly kind: 'menu'; readonly id: string; readonly link: string; readonly menu: MenuEntryHit }

/** The sections of the settings, by their anchors and their keys under `dashboard.search.sections`. */
const settingsSections = [
  'profile',
  'data',
  'region',
  'password',
  'email',
  'factor',
  'passkeys',
  'sftp',
  'notifications',
  'sessions',
  'discord',
  'export',
  'deletion',
] as const

/** The pages of guides, which are found by the word too, and each guide by its title. */
const useGuides = (): readonly MenuEntryHit[] => {
  const t = useTranslations('guides')
  const guides = useQuery(guidesQuery(useLocale())).data ?? []
  const page = (topic: GuideTopic) => `${t('title')} · ${t(`topics.${topic}`)}`
  return [
    ...GUIDE_TOPICS.map((topic) => ({
      id: `guides-${topic}`,
      title: page(topic),
      link: guidePath(topic),
      entry: guidesEntry,
    })),
    ...guides.map(({ slug, topic, title }) => ({
      id: `guide-${slug}`,
      title,
      sub: page(topic),
      link: guidePath(topic, slug),
      entry: guidesEntry,
    })),
  ]
}

/** The table for the search: the menu's entries and sub-entries, pages beside the balance, sections of the settings. */
const useMenu = (panelId: string | undefined): readonly MenuEntryHit[] => {
  const t = useTranslations('dashboard.entries')
  const ts = useTranslations('dashboard.search.sections')
  const groups = useEntryGroups()
  // A section that this installation does not show is not found either.
  const hasDiscord = isDiscordShown(useQuery(discordQuery()).data)
  const sections = settingsSections.filter((section) => section !== 'discord' || hasDiscord)
  const entries = [...groups.flatMap((group) => group.entries), ...(panelId ? panelEntries(panelId) : [])]
  return entries.flatMap((entry) => [
    { id: entry.id, title: t(entry.title), link: entry.link, entry },
    ...entry.categories.map((sub) => ({ id: sub.link, title: t(sub.title), link: sub.link, entry })),
    ...(entry.id === 'balance' ? besideBalance : []).map((sub) => ({
      id: sub.link,
      title: t(sub.title),
      link: sub.link,
      entry,
    })),
    ...(entry.id === 'settings' ? sections : []).map((section) => ({
      id: `settings-${section}`,
      title: ts(section),
      words: t(entry.title),
      link: `${entry.link}#${section}`,
      entry,
    })),
  ])
}

type FoundServer = Server & { readonly address: string | null }

const hitsOf = ({ servers, tickets, menu }: SearchSources<FoundServer, MenuEntryHit>): readonly Hit[] => [
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
  const servers = (useQuery(serversQuery()).data ?? []).map((server) => ({
    ...server,
    address: serverAddress(server),
  }))
  const menu = [...useMenu(panelId), ...useGuides()]
  const { data: tickets = [], isPlaceholderData: isOfBefore } = useQuery(foundTicketsQuery(input))
  const found = searchAll(input, { servers, tickets, menu })
  // The server has looked through whole messages, of which this page has the beginning.
  return hitsOf(isOfBefore || input.trim() === '' ? found : { ...found, tickets })
}
