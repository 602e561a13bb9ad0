import type { QueuedTicket, TicketQueueFilter } from '#contracts/http/ticket.ts'
import { MAX_ITEMS } from '#contracts/primitives.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type * as z from 'zod'
import { refuse, viewerOf, type TicketCaller, type TicketRefusal } from './reach-ticket.ts'
import { messagesHave, showTickets } from './read-tickets.ts'
import { categoryOf } from './ticket-store.ts'

type Asked = z.infer<typeof TicketQueueFilter> & {
  readonly caller: TicketCaller
  readonly limit?: number | undefined
  readonly before?: string | undefined
}

/** With more rows than this the words are looked for along the queue: enough tickets for a page are found soon. */
const MAX_FOUND = 2_000

/** The tickets in which words stand, notes included, and those that took them; undefined for words that stand in too many. */
async function ticketsWith(sql: Sql, text: string): Promise<readonly string[] | undefined> {
  const rows = await sql.query<{ id: string }>(
    `(select t.id from control.tickets t where t.words @@ (select control.words_query($1)) limit $2)
     union all (select m.ticket_id from control.ticket_messages m
       where m.kind <> 'event' and m.words @@ (select control.words_query($1)) limit $2) limit $2`,
    [text, MAX_FOUND + 1],
  )
  if (rows.length > MAX_FOUND) return undefined
  const ids = rows.map(({ id }) => id)
  const targets = await sql.query<{ id: string }>(
    'select merged_into as id from control.tickets where id = any ($1) and merged_into is not null',
    [ids],
  )
  return [...new Set([...ids, ...targets.map(({ id }) => id)])]
}

const HAS_WORDS = `(t.words @@ (select control.words_query($9)) or ${messagesHave('$9', "m.kind <> 'event'")})`

const ASKED = `t.opener_id <> $1 and ($2 or ${categoryOf('t')} = any ($3::uuid[]))
  and ($4::uuid is null or ${categoryOf('t')} = $4) and ($5::text is null or t.status = $5)
  and ($6::text is null or ($6 = 'me' and t.assignee_id = $1) or ($6 = 'nobody' and t.assignee_id is null))
  and ($10::uuid[] is null or t.id = any ($10)) and ($11::uuid is null or t.opener_id = $11)`

/**
 * One half of the queue in its order, which has an index, from the ticket $7 on. `offset 0` makes PostgreSQL look for words along that
 * order until the page is full, and not in every ticket first.
 */
const halfOf = (half: string, order: string) => `
  with b as (select b.waiting_since, b.moved_at, b.id from control.tickets b
    where b.id = $7 and b.opener_id <> $1 and ($2 or ${categoryOf('b')} = any ($3::uuid[])))
  select t.id from (select * from control.tickets t where ${half} and ${ASKED} order by ${order} offset 0) t
  where $9::text is null or ${HAS_WORDS} limit $8`

/** Those in which somebody waits, the longest first. */
const WAITING = halfOf(
  `t.waiting_since is not null and ($7::uuid is null or (t.waiting_since, t.id) > (select b.waiting_since, b.id from b))`,
  't.waiting_since, t.id',
)
/** The others, the last moved first. */
const OTHERS = halfOf(
  `t.waiting_since is null and ($7::uuid is null or (select b.waiting_since from b) is not null
     or (t.moved_at, t.id) < (select b.moved_at, b.id from b))`,
  't.moved_at desc, t.id desc',
)

/**
 * The tickets that a member of staff works on, oldest unanswered first; FORBIDDEN for everybody else. Those that they opened themselves
 * are in their own list.
 */
export async function ticketQueue(
  sql: Sql,
  { caller, categoryId, status, assignee, openerId, text, limit = MAX_ITEMS, before }: Asked,
): Promise<{ readonly ok: true; readonly tickets: QueuedTicket[] } | TicketRefusal> {
  if (!caller.isAdmin && !caller.isSupport) return refuse('FORBIDDEN')
  const { categoryIds } = await viewerOf(sql, caller)
  const found = text === undefined ? undefined : await ticketsWith(sql, text)
  const half = async (statement: string, most: number): Promise<string[]> => {
    const who = [caller.userId, caller.isAdmin, categoryIds]
    const asked = [categoryId ?? null, status ?? null, assignee ?? null, before ?? null, most]
    const words = found === undefined ? [text ?? null, null] : [null, found]
    const rows = await sql.query<{ id: string }>(statement, [...who, ...asked, ...words, openerId ?? null])
    return rows.map(({ id }) => id)
  }
  const waiting = await half(WAITING, limit)
  const others = waiting.length < limit ? await half(OTHERS, limit - waiting.length) : []
  const shown = await showTickets(sql, caller, [...waiting, ...others])
  const tickets = shown.map(({ row, ticket }) => ({
    ...ticket,
    waitingSince: row.waiting_since?.toISOString() ?? null,
  }))
  return { ok: true, tickets }
}
