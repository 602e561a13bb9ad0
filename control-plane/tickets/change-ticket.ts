import type { TicketRating } from '#contracts/http/ticket.ts'
import { afterAct } from '#domain/tickets/ticket-state.ts'
import type * as z from 'zod'
import type { Context } from '../platform/context.ts'
import { announceTicket } from './announce-ticket.ts'
import { reachTicket, refusedBySwitch, refuse, type TicketCaller, type TicketRefusal } from './reach-ticket.ts'
import { tellClosed } from './tell-people.ts'
import { insertMessage, markRead, progressOf, saveProgress } from './ticket-store.ts'

type Asked = { readonly caller: TicketCaller; readonly ticketId: string; readonly requestId: string }
type Done = { readonly ok: true } | TicketRefusal
type Changing = Pick<Context, 'db' | 'clock' | 'ids'>

/** Closes or reopens a ticket, and says so in it. Its customers hear that staff closed it. */
export function closeOrReopen(
  context: Changing,
  { caller, ticketId, requestId, act }: Asked & { readonly act: 'close' | 'reopen' },
): Promise<Done> {
  return context.db.transaction(async (tx) => {
    const reached = await reachTicket(tx, { caller, ticketId, right: act })
    if (!reached.ok) return reached
    const { ticket, side } = reached
    const off = act === 'reopen' ? await refusedBySwitch(tx, side) : null
    if (off) return off
    const after = afterAct(progressOf(ticket), { act, side, nowMs: context.clock.now() })
    if (!after.ok) return refuse(after.code)
    await saveProgress(tx, ticketId, after.ticket)
    const event = act === 'close' ? 'closed' : 'reopened'
    const line = {
      ticketId,
      authorId: caller.userId,
      byStaff: side === 'staff',
      kind: 'event' as const,
      event,
    } as const
    const upTo = await insertMessage(tx, context, line)
    await markRead(tx, { ticketId, userId: caller.userId, upTo })
    await announceTicket(tx, context, { ticketId, requestId })
    if (act === 'close' && side === 'staff') await tellClosed(tx, context, { ticket, byId: caller.userId, requestId })
    return { ok: true }
  })
}

/** Notes what the caller has read. A message of another ticket marks nothing. */
export async function readTicketUpTo(
  context: Changing,
  { caller, ticketId, upTo }: Omit<Asked, 'requestId'> & { readonly upTo: string },
): Promise<Done> {
  const reached = await reachTicket(context.db, { caller, ticketId, right: 'read' })
  if (!reached.ok) return reached
  await markRead(context.db, { ticketId, userId: caller.userId, upTo })
  return { ok: true }
}

/** Stores what the opener of a closed ticket thought of it: chosen once, changed once. The same again changes nothing. */
export function rateTicket(
  context: Changing,
  { caller, ticketId, requestId, rating }: Asked & z.infer<typeof TicketRating>,
): Promise<Done> {
  return context.db.transaction(async (tx) => {
    const reached = await reachTicket(tx, { caller, ticketId, right: 'rate' })
    if (!reached.ok) return reached
    const { ticket } = reached
    if (ticket.rating === rating) return { ok: true }
    if (ticket.status !== 'closed') return refuse('TICKET_NOT_CLOSED')
    const changes = ticket.rating === null ? 0 : ticket.rating_changes + 1
    if (changes > 1) return refuse('TICKET_RATED')
    await tx.query('update control.tickets set rating = $2, rating_changes = $3 where id = $1', [
      ticketId,
      rating,
      changes,
    ])
    await announceTicket(tx, context, { ticketId, requestId })
    return { ok: true }
  })
}
