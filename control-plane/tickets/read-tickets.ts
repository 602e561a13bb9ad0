import type { Ticket } from '#contracts/http/desk/ticket-entity.ts'
import { TICKET_BOUNDS, type TicketFilter } from '#contracts/http/ticket.ts'
import { MAX_ITEMS } from '#contracts/primitives.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readPeople, readTicketCategories } from '../cms/cms-reader.ts'
import { plainWords } from './plain-words.ts'
import type { TicketCaller } from './reach-ticket.ts'
import { filesOfTicket } from './ticket-attachments.ts'
import { TICKET_COLUMNS, ticketRowOf, withMerged, type TicketRow } from './ticket-store.ts'
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
 * The newest message of a ticket, and whether somebody else has written since the reader last read it. Notes do not count, and a merged ticket
 * is read where it goes on. $1 is the reader.
 */
const SEEN = `
  left(last.text, ${TICKET_BOUNDS.shownMessage}) as last_text, last.created_at as last_at,
  t.merged_into is null and exists (select 1 from ${withMerged('t.id')} f join control.ticket_messages m on m.ticket_id = f.id
    where m.kind <> 'note' and m.author_id <> $1 and m.seq > coalesce((select max(r.read_seq) from control.ticket_reads r
      where r.ticket_id in (t.id, f.id) and r.user_id = $1), 0)) as unread`
/** The newest message of the ticket `t` with those that were merged into it: the newest of the newest ones, each of which has an index. */
const NEWEST = `select n.text, n.created_at from ${withMerged('t.id')} f cross join lateral (select m.seq, m.text, m.created_at
    from control.ticket_messages m where m.ticket_id = f.id and m.kind = 'message' order by m.seq desc limit 1) n order by n.seq desc limit 1`
const LAST = `cross join lateral (${NEWEST}) last`

/** Rows of tickets, and each as its reader sees it, in the order of their ids; without those that are gone. The caller may see them all. */
export async function showTickets(
  sql: Sql,
  caller: Pick<TicketCaller, 'userId' | 'locale'>,
  ids: readonly string[],
): Promise<{ readonly row: TicketRow; readonly ticket: Ticket }[]> {
  if (ids.length === 0) return []
  const found = await sql.query<Record<string, unknown>>(
    `select ${TICKET_COLUMNS}, ${SEEN} from control.tickets t ${LAST}
     where t.id = any ($2::uuid[]) order by array_position($2::uuid[], t.id)`,
    [caller.userId, ids],
  )
  const rows = found.map((row) => ({ ticket: ticketRowOf(row), ...LastRow.parse(row) }))
  const userIds = rows.flatMap(({ ticket }) => [
    ticket.opener_id,
    ...ticket.added_ids,
    ...(ticket.assignee_id === null ? [] : [ticket.assignee_id]),
  ])
  const names = await namesOf(sql, { locale: caller.locale, userIds })
  return rows.map(({ ticket: row, last_text: text, last_at: at, unread }) => ({
    row,
    ticket: shownTicket(row, { names, unread, last: { message: plainWords(text), createdAt: at.toISOString() } }),
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
  ...(row.merged_into === null || row.merged_number === null
    ? {}
    : { mergedInto: { id: row.merged_into, identifier: row.merged_number } }),
})

/**
 * Whether words stand in a message of the ticket `t`. `offset 0` and a scalar subquery make PostgreSQL read the few messages of one ticket:
 * it would otherwise look for the words in all messages first, for every ticket.
 */
export const messagesHave = (text: string, kinds: string): string =>
  `(select true from (select m.words from control.ticket_messages m where m.ticket_id in ${withMerged('t.id')} and ${kinds} offset 0) m
    where m.words @@ (select control.words_query(${text})) limit 1)`

/**
 * The caller's own tickets and those to which they were added, the last moved first. A search looks in the lines that
 * they may read: never in notes.
 */
export async function listTickets(
  sql: Sql,
  {
    caller,
    status,
    text,
    find,
    limit = MAX_ITEMS,
    before,
  }: z.infer<typeof TicketFilter> & {
    caller: Pick<TicketCaller, 'userId' | 'locale'>
    limit?: number | undefined
    before?: string | undefined
  },
): Promise<Ticket[]> {
  const rows = await sql.query<{ id: string }>(
    `select t.id from control.tickets t where t.id in (select o.id from control.tickets o where o.opener_id = $1
        union all select s.id from control.ticket_people p cross join lateral ${withMerged('p.ticket_id')} s where p.user_id = $1)
      and ($2::text is null or t.status = $2)
      and ($3::uuid is null or (t.moved_at, t.id) < (select b.moved_at, b.id from control.tickets b where b.id = $3
        and (b.opener_id = $1 or exists (select 1 from control.ticket_people p where p.ticket_id = coalesce(b.merged_into, b.id) and p.user_id = $1))))
      and ($5::text is null or t.words @@ (select control.words_query($5)) or ${messagesHave('$5', "m.kind = 'message'")})
      and ($6::text is null or strpos(control.folded(t.title), control.folded($6)) > 0
        or strpos(control.folded((select last.text from (${NEWEST}) last)), control.folded($6)) > 0)
      order by t.moved_at desc, t.id desc limit $4`,
    [caller.userId, status ?? null, before ?? null, limit, text ?? null, find ?? null],
  )
  const ids = rows.map(({ id }) => id)
  return (await showTickets(sql, caller, ids)).map(({ ticket }) => ticket)
}

/** One ticket as its reader sees it, with its files unless they are known. The caller may see it. */
export async function shownTicketOf(
  sql: Sql,
  {
    caller,
    ticketId,
    isStaff,
    isKnown = false,
  }: { caller: Pick<TicketCaller, 'userId' | 'locale'>; ticketId: string; isStaff: boolean; isKnown?: boolean },
): Promise<Ticket> {
  const [found] = await showTickets(sql, caller, [ticketId])
  if (!found) throw new Error('a ticket without a message')
  return isKnown ? found.ticket : { ...found.ticket, attachments: await filesOfTicket(sql, { ticketId, isStaff }) }
}
