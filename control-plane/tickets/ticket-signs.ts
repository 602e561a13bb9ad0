import type { TicketSignOf } from '#contracts/gateway/events.ts'
import { standingOf } from '#domain/tickets/ticket-access.ts'
import { nextSign, type SignAudience, type TicketSign } from '#domain/tickets/ticket-sign.ts'
import type { TicketSide } from '#domain/tickets/ticket-state.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readPeople, readTicketStaff } from '../cms/cms-reader.ts'
import { findTicket } from './ticket-store.ts'

/** A person's sign in a ticket and the one before it; null stands for none. */
export type SignChange = {
  readonly userId: string
  readonly ticketId: string
  readonly before: TicketSign | null
  readonly now: TicketSign | null
}
/** One sign and its readers. */
export type SignDelivery = { readonly userIds: readonly string[]; readonly data: TicketSignOf }

/** As what somebody acts in a ticket, and who else reads it on which side. Null for somebody who may not read it. */
const readersOf = async (
  sql: Sql,
  { userId, ticketId }: SignChange,
): Promise<{ side: TicketSide; isClosed: boolean; ids: Readonly<Record<SignAudience, readonly string[]>> } | null> => {
  const ticket = await findTicket(sql, ticketId)
  if (!ticket) return null
  const { opener_id: openerId, added_ids: addedIds, category_id: categoryId } = ticket
  const staff = (await readTicketStaff(sql, categoryId)).filter((id) => id !== openerId)
  // Both kinds of staff are in this list, so that whoever is in it works on the category.
  const categoryIds = staff.includes(userId) ? [categoryId] : []
  const viewer = { userId, isAdmin: false, isSupport: true, categoryIds }
  const standing = standingOf(viewer, { openerId, addedIds, categoryId })
  if (standing === null) return null
  const others = (ids: readonly string[]) => [...new Set(ids)].filter((id) => id !== userId)
  return {
    side: standing === 'staff' ? 'staff' : 'customer',
    isClosed: ticket.status === 'closed',
    ids: { staff: others(staff), customer: others([openerId, ...addedIds.filter((id) => !staff.includes(id))]) },
  }
}

/** Whom a change of a sign is told, and as what. Nothing for somebody who may not read the ticket. */
export async function signDeliveries(sql: Sql, change: SignChange): Promise<readonly SignDelivery[]> {
  const readers = await readersOf(sql, change)
  if (readers === null) return []
  const { side, isClosed, ids } = readers
  const { userId, ticketId } = change
  // Nobody writes a message into a closed ticket.
  const possible = (sign: TicketSign | null) => (isClosed && sign !== 'noting' ? null : sign)
  const [before, now] = [possible(change.before), possible(change.now)]
  const [person] = await readPeople(sql, [userId])
  const by = { id: userId, username: person?.username ?? '' }
  return (['staff', 'customer'] as const).flatMap((audience) => {
    const sign = nextSign(side, { before, now }, audience)
    if (sign === null || ids[audience].length === 0) return []
    const isNamed = side === 'customer' || audience === 'staff'
    return [{ userIds: ids[audience], data: { ticketId, sign, by: isNamed ? by : null } }]
  })
}
