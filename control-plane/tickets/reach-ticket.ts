import type { ErrorCode } from '#contracts/http/errors.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import {
  isDoneMerged,
  mayDo,
  standingOf,
  type TicketRight,
  type TicketStanding,
  type TicketViewer,
} from '#domain/tickets/ticket-access.ts'
import type { TicketSide } from '#domain/tickets/ticket-state.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readSettings, readTicketCategoriesOf } from '../cms/cms-reader.ts'
import { findTicket, type TicketRow } from './ticket-store.ts'

export type TicketRefusal = {
  readonly ok: false
  readonly code: ErrorCode
  readonly fields?: Readonly<Record<string, string>>
  readonly params?: Readonly<Record<string, string>>
}
export const refuse = (code: ErrorCode): TicketRefusal => ({ ok: false, code })

export type TicketCaller = Pick<Caller, 'userId' | 'isAdmin' | 'isSupport' | 'locale'>

/** The caller with the categories of their usable roles. The site's flags say whether those of support count. */
export async function viewerOf(sql: Sql, { userId, isAdmin, isSupport }: TicketCaller): Promise<TicketViewer> {
  const categoryIds = isSupport && !isAdmin ? await readTicketCategoriesOf(sql, userId) : []
  return { userId, isAdmin, isSupport, categoryIds }
}

/** A ticket that the caller sees, as what, and on which side they act. */
export type ReachedTicket = {
  readonly ok: true
  readonly ticket: TicketRow
  readonly standing: TicketStanding
  readonly side: TicketSide
}

/**
 * The ticket for somebody who may do this with it: NOT_FOUND when they may not know of it, FORBIDDEN when they see it and may not, TICKET_MERGED with
 * the number of the ticket in which it goes on. Everything but reading locks its row, and what may be done is asked again behind that lock.
 */
export async function reachTicket(
  sql: Sql,
  { caller, ticketId, right }: { caller: TicketCaller; ticketId: string; right: TicketRight },
): Promise<ReachedTicket | TicketRefusal> {
  const viewer = await viewerOf(sql, caller)
  const reach = async (lock: boolean): Promise<ReachedTicket | TicketRefusal> => {
    const ticket = await findTicket(sql, ticketId, lock)
    const people = ticket && { openerId: ticket.opener_id, addedIds: ticket.added_ids, categoryId: ticket.category_id }
    const standing = people ? standingOf(viewer, people) : null
    if (!ticket || !standing) return refuse('NOT_FOUND')
    if (!mayDo(standing, right, viewer)) return refuse('FORBIDDEN')
    if (ticket.merged_number !== null && !isDoneMerged(right))
      return { ...refuse('TICKET_MERGED'), params: { number: ticket.merged_number } }
    return { ok: true, ticket, standing, side: standing === 'staff' ? 'staff' : 'customer' }
  }
  // A refused caller locks nothing.
  const reached = await reach(false)
  return reached.ok && right !== 'read' ? reach(true) : reached
}

/** The switch of staff stops customers, not staff (clarifications part 6). */
export async function refusedBySwitch(sql: Sql, side: TicketSide): Promise<TicketRefusal | null> {
  if (side === 'staff') return null
  const { tickets } = await readSettings(sql)
  return tickets ? null : refuse('TICKETS_DISABLED')
}
