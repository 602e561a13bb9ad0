'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import type { Server } from '#contracts/http/server.ts'
import type { AttentionKind } from '@/features/servers/list/attention.ts'
import { ATTENTION_LAMPS, useWatchText } from '@/features/servers/list/watch-text.ts'
import { consolePath, renewPath } from '@/features/servers/server-paths.ts'
import { newestTicketsQuery } from '@/features/support/newest-tickets-query.ts'
import { TICKET_LINKS } from '@/features/support/ticket-links.ts'
import { invitationsQuery } from '@/lib/queries/invitations-query.ts'
import { meQuery, serversQuery } from '@/lib/queries/queries.ts'
import type { LampKind } from '@/ui/signs/lamp.tsx'
import { waitingOf, type Waiting } from './waiting.ts'

/** A thing that waits for the reader, as a line with its address. `at` is when it came, for those that came. */
export type WaitingLine = {
  readonly id: string
  readonly lamp: LampKind
  readonly text: string
  readonly href: string
  readonly at?: string
}

/** The place where the reader can end it: support alone ends a suspension. */
const pathOf = (server: Server, kind: AttentionKind): string => {
  if (kind === 'suspended') return TICKET_LINKS.list
  return kind === 'expired' || kind === 'expiresSoon' ? renewPath(server) : consolePath(server)
}

const useLineOf = () => {
  const t = useTranslations('summary.waiting')
  const watchText = useWatchText()
  return (waiting: Waiting): WaitingLine => {
    const id = `${waiting.kind} ${waiting.id}`
    if (waiting.kind === 'ticket') {
      const { ticket } = waiting
      const text = t('ticket', { title: ticket.title })
      return { id, lamp: 'due', text, href: TICKET_LINKS.one(ticket.id), at: ticket.lastMessage.createdAt }
    }
    if (waiting.kind === 'invitation') {
      const { invitedBy: person, serverName: name, createdAt } = waiting.invitation
      return { id, lamp: 'due', text: t('invitation', { person, name }), href: '/dashboard/servers', at: createdAt }
    }
    const { server, attention: kind } = waiting
    const text = t('server', { name: server.name, text: watchText({ server, kind }) })
    return { id, lamp: ATTENTION_LAMPS[kind], text, href: pathOf(server, kind) }
  }
}

/** The things that wait for the reader. `isMissing` says that a part of it could not be read; `parts` are what it is read from. */
export const useWaiting = () => {
  // The whole page waits for these: a control plane that does not respond would be waited for twice.
  const tickets = useQuery({ ...newestTicketsQuery(), retry: false })
  const invitations = useQuery({ ...invitationsQuery(), retry: false })
  const servers = useQuery(serversQuery())
  const lineOf = useLineOf()
  const me = useQuery(meQuery())
  const known = {
    servers: servers.data ?? [],
    tickets: tickets.data ?? [],
    invitations: invitations.data ?? [],
    readerId: me.data?.id,
  }
  const lines = waitingOf(known, Date.now()).map(lineOf)
  // While a part that failed is read again, it is no error any more, and still missing.
  const isMissing = [servers, me, tickets, invitations].some(({ data, isFetched }) => data === undefined && isFetched)
  return { lines, isMissing, parts: [tickets, invitations] as const }
}
