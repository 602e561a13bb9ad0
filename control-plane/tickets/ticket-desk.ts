import type { Ticket } from '#contracts/http/desk/ticket-entity.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readPeople, readTicketStaff } from '../cms/cms-reader.ts'
import { reachTicket, refuse, type TicketCaller, type TicketRefusal } from './reach-ticket.ts'
import type { TicketRow } from './ticket-store.ts'

type Asked = { readonly caller: TicketCaller; readonly ticketId: string }

/** A ticket for those who work on it; FORBIDDEN for its customers, also for staff among them. */
export async function deskTicket(
  sql: Sql,
  { caller, ticketId }: Asked,
): Promise<{ readonly ok: true; readonly ticket: TicketRow } | TicketRefusal> {
  const reached = await reachTicket(sql, { caller, ticketId, right: 'read' })
  if (!reached.ok) return reached
  return reached.standing === 'staff' ? { ok: true, ticket: reached.ticket } : refuse('FORBIDDEN')
}

/** Whom a ticket can be given to, by name: those who work on its category and did not open it. */
export async function ticketColleagues(
  sql: Sql,
  asked: Asked,
): Promise<{ readonly ok: true; readonly people: Ticket['addedUsers'] } | TicketRefusal> {
  const found = await deskTicket(sql, asked)
  if (!found.ok) return found
  const { category_id: categoryId, opener_id: openerId } = found.ticket
  const ids = (await readTicketStaff(sql, categoryId)).filter((id) => id !== openerId)
  const people = (await readPeople(sql, ids)).map(({ id, username }) => ({ id, username }))
  return { ok: true, people: people.toSorted((one, other) => one.username.localeCompare(other.username)) }
}
