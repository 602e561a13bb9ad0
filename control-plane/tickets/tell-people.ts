import type { Notification } from '#contracts/http/notification.ts'
import { NOTICES_OF_STAFF } from '#domain/notifications/notice-link.ts'
import { isAskedToRate } from '#domain/tickets/ticket-access.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readActive, readPerson } from '../cms/cms-reader.ts'
import { endMails } from '../messages/mail/end-mails.ts'
import { notifyUser } from '../messages/notices/notify-user.ts'
import type { Context } from '../platform/context.ts'
import { enqueue } from '../platform/outbox-writer.ts'
import { requestOfReplies } from './mail/request-of-replies.ts'
import { withMerged, type TicketRow } from './ticket-store.ts'

type Writer = Pick<Context, 'ids' | 'clock'>
type Act = {
  readonly ticket: TicketRow
  /** The member of staff who did it. They do not hear of it. */
  readonly byId: string
  readonly requestId: string
}
type Told = Act & {
  readonly userIds: readonly string[]
  readonly text: Extract<Notification['text'], 'ticket.added' | 'ticket.assigned' | 'ticket.closed'>
}

/** Rings the bells of people about an act of staff, in its transaction: once for each of them, and for nobody who cannot sign in. */
async function tell(tx: Sql, context: Writer, { ticket, byId, userIds, text, requestId }: Told): Promise<void> {
  const others = [...new Set(userIds)].filter((id) => id !== byId)
  const hearing = await readActive(tx, others)
  if (hearing.length === 0) return
  const who = await readPerson(tx, byId)
  const data = { ticketId: ticket.id, title: ticket.title, ...(who ? { person: who.username } : {}) }
  for (const userId of others) {
    if (!hearing.includes(userId)) continue
    const mayRate =
      text === 'ticket.closed' && isAskedToRate(userId, { openerId: ticket.opener_id, rating: ticket.rating })
    await notifyUser(tx, context, { userId, text, data: mayRate ? { ...data, rates: true } : data, requestId })
  }
}

/** Tells the new assignee of a ticket that a colleague gave it to them. */
export const tellAssigned = (tx: Sql, context: Writer, act: Act & { readonly userId: string }): Promise<void> =>
  tell(tx, context, { ...act, userIds: [act.userId], text: 'ticket.assigned' })

/** Tells a person that they read and write in a ticket from now on. */
export const tellAdded = (tx: Sql, context: Writer, act: Act & { readonly userId: string }): Promise<void> =>
  tell(tx, context, { ...act, userIds: [act.userId], text: 'ticket.added' })

/** Tells the customers of a ticket that staff closed it, and its opener that it can be rated. */
export const tellClosed = (tx: Sql, context: Writer, act: Act): Promise<void> =>
  tell(tx, context, { ...act, userIds: [act.ticket.opener_id, ...act.ticket.added_ids], text: 'ticket.closed' })

type OfSomebody = { readonly ticketId: string; readonly userIds: readonly string[]; readonly requestId: string }
type Bell = { id: string; user_id: string; ticket_id: string }

/** The ticket that a bell names, with those that were merged into $1. */
const NAMES_IT = `coalesce(n.data ->> 'ticketId', n.data ->> 'aboutTicketId') in (select g.id::text from ${withMerged('$1::uuid')} g)`

/** Open pages read their bells again when the ticket of one changes. A ticket's own event says that it changed; of a merged one nothing else does. */
async function tellMergedBells(
  tx: Sql,
  context: Writer,
  { ticketId, requestId, bells }: Pick<OfSomebody, 'ticketId' | 'requestId'> & { bells: readonly Bell[] },
): Promise<void> {
  for (const id of new Set(bells.map((bell) => bell.ticket_id))) {
    if (id === ticketId) continue
    const userIds = [...new Set(bells.filter((bell) => bell.ticket_id === id).map(({ user_id: userId }) => userId))]
    const message = { event: 'ticket.update' as const, data: { id } }
    await enqueue(tx, context, { topic: 'browser-event', payload: { userIds, message }, requestId })
  }
}

/** Takes the links to a ticket, and to those merged into it, from the bells of staff who see it no more; the bells still end with it. */
export async function unlinkBells(
  tx: Sql,
  context: Writer,
  { ticketId, userIds, requestId }: OfSomebody,
): Promise<void> {
  const bells = await tx.query<Bell>(
    `with linked as (
       select n.id from control.notifications n
       where ${NAMES_IT} and n.data ? 'ticketId' and n.user_id = any ($2) and n.text = any ($3)
       order by n.user_id, n.id for update)
     update control.notifications n
     set data = n.data - 'ticketId' || jsonb_build_object('aboutTicketId', n.data -> 'ticketId')
     from linked where n.id = linked.id returning n.id, n.user_id, n.data ->> 'aboutTicketId' as ticket_id`,
    [ticketId, userIds, NOTICES_OF_STAFF],
  )
  await tellMergedBells(tx, context, { ticketId, requestId, bells })
}

/**
 * Removes what people were told as customers about a ticket, and those merged into it, that they see no more: its title, and what was not sent yet, the
 * replies in a mail as well.
 */
export async function forgetBells(
  tx: Sql,
  context: Writer,
  { ticketId, userIds, requestId }: OfSomebody,
): Promise<void> {
  const bells = await tx.query<Bell>(
    `delete from control.notifications n where ${NAMES_IT} and n.user_id = any ($2) and n.text <> all ($3)
     returning n.id, n.user_id, coalesce(n.data ->> 'ticketId', n.data ->> 'aboutTicketId') as ticket_id`,
    [ticketId, userIds, NOTICES_OF_STAFF],
  )
  const tickets = await tx.query<{ id: string }>(`select g.id from ${withMerged('$1::uuid')} g`, [ticketId])
  const requestIds = tickets.flatMap(({ id }) => userIds.map((userId) => requestOfReplies(id, userId)))
  await endMails(tx, { ids: bells.map(({ id }) => id), requestIds, nowMs: context.clock.now() })
  await tellMergedBells(tx, context, { ticketId, requestId, bells })
}
