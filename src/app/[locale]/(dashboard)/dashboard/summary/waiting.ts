import type { ServerInvitation } from '#contracts/http/panel/collaborators.ts'
import type { Server } from '#contracts/http/server.ts'
import type { Ticket } from '#contracts/http/desk/ticket-entity.ts'
import { watchedOf, type AttentionKind } from '@/features/servers/list/attention.ts'

export type Waiting =
  | { readonly kind: 'server'; readonly id: string; readonly server: Server; readonly attention: AttentionKind }
  | { readonly kind: 'ticket'; readonly id: string; readonly ticket: Ticket }
  | { readonly kind: 'invitation'; readonly id: string; readonly invitation: ServerInvitation }

/** Only its owner renews a server and clears up a suspension; the maintenance of a machine is nothing that a reader ends. */
const OF_OWNERS: readonly AttentionKind[] = ['expired', 'expiresSoon', 'suspended']

type Known = {
  readonly servers: readonly Server[]
  readonly tickets: readonly Ticket[]
  readonly invitations: readonly ServerInvitation[]
  readonly readerId: string | undefined
}

/** The things that wait for the reader: servers in trouble, the worst first, then unread replies, then invitations. */
export const waitingOf = ({ servers, tickets, invitations, readerId }: Known, nowMs: number): readonly Waiting[] => [
  ...watchedOf(servers, nowMs).flatMap(({ server, kind: attention }): Waiting[] => {
    const isTheirs = server.owner.id === readerId || !OF_OWNERS.includes(attention)
    return attention !== 'maintenance' && isTheirs ? [{ kind: 'server', id: server.id, server, attention }] : []
  }),
  ...tickets.filter(({ unread }) => unread).map((ticket): Waiting => ({ kind: 'ticket', id: ticket.id, ticket })),
  ...invitations.map((invitation): Waiting => ({ kind: 'invitation', id: invitation.serverId, invitation })),
]
