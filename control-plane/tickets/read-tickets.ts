import { TICKET_BOUNDS, type Ticket } from '#contracts/http/ticket.ts'
import { MAX_ITEMS } from '#contracts/primitives.ts'
import type { TicketState } from '#domain/tickets/ticket-state.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readPeople, readTicketCategories } from '../cms/cms-reader.ts'
import type { TicketCaller } from './reach-ticket.ts'
import { TICKET_COLUMNS, ticketRowOf, type TicketRow } from './ticket-store.ts'
import * as z from 'zod'

/** Names for what rows of tickets refer to, in the reader's language. */
export async function namesOf(
  sql: Sql,
  { locale, userIds }: { locale: TicketCaller['locale']; userIds: readonly string[] },
): Promise<{ person: (id: string) => Ticket['opener']; category: (id: string) => string }> {
  const people = new Map((await readPeople(sql, [...new Set(userIds)])).map(({ id, username }) => [id, username]))
  const categories = new Map((await readTicketCategories(sql)).map(({ id, name }) => [id, name[locale]]))
  return {
    person: (id) => ({ id, username: people.get(id) ?? '' }),
    category: (id) => categories.get(id) ?? '',
  }
}

const LastRow = z.object({ last_text: z.string(), last_at: z.date(), unread: z.boolean() })

/**
 * The newest message of a ticket, and whether somebody else has written since the reader last read it. Notes do not count. $1 is the
 * reader.
 */
const SEEN = `
  left(last.text, ${TICKET_BOUNDS.shownMessage}) as last_text, last.created_at as last_at,
  exists (select 1 from control.ticket_messages m where m.ticket_id = t.id and m.kind <> 'note' and m.author_id <> $1
    and m.seq > coalesce((select r.read_seq from control.ticket_reads r where r.ticket_id = t.id and r.user_id = $1), 0)) as unread`
const LAST = `cross join lateral (select m.text, m.created_at from control.ticket_messages m
    where m.ticket_id = t.id and m.kind = 'message' order by m.seq desc limit 1) last`

/** Rows of tickets, and each as its reader sees it. `rest` follows the tables; its values begin with $2. */
export async function selectTickets(
  sql: Sql,
  caller: Pick<TicketCaller, 'userId' | 'locale'>,
  { rest, values }: { rest: string; values: readonly unknown[] },
): Promise<{ readonly row: TicketRow; readonly ticket: Ticket }[]> {
  const found = await sql.query<Record<string, unknown>>(
    `select ${TICKET_COLUMNS}, ${SEEN} from control.tickets t ${LAST} ${rest}`,
    [caller.userId, ...values],
  )
  const rows = found.map((row) => ({ ticket: ticketRowOf(row), ...LastRow.parse(row) }))
  const userIds = rows.flatMap(({ ticket }) => [
    ticket.opener_id,
    ...ticket.added_ids,
    ...(ticket.assignee_id === null ? [] : [ticket.assignee_id]),
  ])
  const names = await namesOf(sql, { locale: caller.locale, userIds })
  return rows.map(({ ticket: row, last_text: message, last_at: at, unread }) => ({
    row,
    ticket: shownTicket(row, { names, unread, last: { message, createdAt: at.toISOString() } }),
  }))
}

const shownTicket = (
  row: TicketRow,
  { names, unread, last }: { names: Awaited<ReturnType<typeof namesOf>>; unread: boolean; last: Ticket['lastMessage'] },
): Ticket => ({
  id: row.id,
  identifier: row.identifier,
  title: row.title,
  lastMessage: last,
  category: names.category(row.category_id),
  categoryId: row.category_id,
  status: row.status,
  opener: names.person(row.opener_id),
  admin: row.assignee_id === null ? null : names.person(row.assignee_id),
  addedUsers: row.added_ids.map(names.person),
  createdAt: row.created_at.toISOString(),
  unread,
})

/** The caller's own tickets and those to which they were added, the last moved first. */
export const listTickets = async (
  sql: Sql,
  {
    caller,
    status,
    limit = MAX_ITEMS,
    before,
  }: {
    caller: Pick<TicketCaller, 'userId' | 'locale'>
    status?: TicketState | undefined
    limit?: number | undefined
    before?: string | undefined
  },
): Promise<Ticket[]> => {
  const found = await selectTickets(sql, caller, {
    rest: `where t.id in (select o.id from control.tickets o where o.opener_id = $1
        union all select p.ticket_id from control.ticket_people p where p.user_id = $1)
      and ($2::text is null or t.status = $2)
      and ($3::uuid is null or (t.moved_at, t.id) < (select b.moved_at, b.id from control.tickets b where b.id = $3
        and (b.opener_id = $1 or exists (select 1 from control.ticket_people p where p.ticket_id = b.id and p.user_id = $1))))
      order by t.moved_at desc, t.id desc limit $4`,
    values: [status ?? null, before ?? null, limit],
  })
  return found.map(({ ticket }) => ticket)
}

/** One ticket as its reader sees it. */
export async function shownTicketOf(
  sql: Sql,
  caller: Pick<TicketCaller, 'userId' | 'locale'>,
  ticketId: string,
): Promise<Ticket> {
  const [found] = await selectTickets(sql, caller, { rest: 'where t.id = $2', values: [ticketId] })
  if (!found) throw new Error('a ticket without a message')
  return found.ticket
}
