'use client'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { ATTENTION_LAMPS, useWatchText } from '@/features/servers/list/attention-strip.tsx'
import { renewPath } from '@/features/servers/list/list-row.tsx'
import { consolePath } from '@/features/servers/server-rows.tsx'
import { TICKET_LINKS } from '@/features/support/ticket-links.ts'
import { ticketsQuery } from '@/features/support/ticket-queries.ts'
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
    const isRenewed = kind === 'expired' || kind === 'expiresSoon'
    const text = t('server', { name: server.name, text: watchText({ server, kind }) })
    return { id, lamp: ATTENTION_LAMPS[kind], text, href: isRenewed ? renewPath(server) : consolePath(server) }
  }
}

/** The things that wait for the reader. `isMissing` says that a part of it could not be read; `parts` are what it is read from. */
export const useWaiting = () => {
  const tickets = useInfiniteQuery(ticketsQuery(undefined, ''))
  const invitations = useQuery(invitationsQuery())
  const servers = useQuery(serversQuery())
  const lineOf = useLineOf()
  const readerId = useQuery(meQuery()).data?.id
  const known = {
    servers: servers.data ?? [],
    tickets: tickets.data?.pages.flat() ?? [],
    invitations: invitations.data ?? [],
    readerId,
  }
  const lines = waitingOf(known, Date.now()).map(lineOf)
  const isMissing = [tickets, invitations].some(({ data, isError }) => data === undefined && isError)
  return { lines, isMissing, parts: [tickets, invitations] as const }
}
