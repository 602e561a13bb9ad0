import type { Sql } from '#platform/postgres/database.ts'
import { readTicketStaff } from '../cms/cms-reader.ts'
import type { Context } from '../platform/context.ts'
import { enqueue } from '../platform/outbox-writer.ts'
import { findTicket } from './ticket-store.ts'

/**
 * Tells the open pages of everybody who sees a ticket that it changed: at the commit of the caller's transaction, or
 * not at all. `also` sees it no more, or not yet. Only staff hear of a note.
 */
export async function announceTicket(
  tx: Sql,
  context: Pick<Context, 'ids' | 'clock'>,
  told: { ticketId: string; requestId: string; staffOnly?: boolean; also?: readonly string[] },
): Promise<void> {
  const ticket = await findTicket(tx, told.ticketId)
  if (!ticket) return
  const staff = (await readTicketStaff(tx, ticket.category_id)).filter((id) => id !== ticket.opener_id)
  const customers = told.staffOnly ? [] : [ticket.opener_id, ...ticket.added_ids]
  const userIds = [...new Set([...customers, ...staff, ...(told.also ?? [])])]
  if (userIds.length === 0) return
  const message = { event: 'ticket.update' as const, data: { id: ticket.id } }
  await enqueue(tx, context, { topic: 'browser-event', payload: { userIds, message }, requestId: told.requestId })
}
