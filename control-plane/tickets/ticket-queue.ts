import type { QueuedTicket, TicketQueueFilter } from '#contracts/http/ticket.ts'
import { MAX_ITEMS } from '#contracts/primitives.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type * as z from 'zod'
import { refuse, viewerOf, type TicketCaller, type TicketRefusal } from './reach-ticket.ts'
import { selectTickets } from './read-tickets.ts'

type Asked = z.infer<typeof TicketQueueFilter> & {
  readonly caller: TicketCaller
  readonly limit?: number | undefined
  readonly before?: string | undefined
}

/** The longest wait comes first; tickets in which nobody waits follow, the most recently changed first. */
const placeOf = (row: 't' | 'b') =>
  `coalesce(${row}.waiting_since, 'infinity'), -extract(epoch from ${row}.moved_at), ${row}.id`

/**
 * The tickets that a member of staff works on, oldest unanswered first; FORBIDDEN for everybody else. Those that they opened themselves
 * are in their own list.
 */
export async function ticketQueue(
  sql: Sql,
  { caller, categoryId, status, assignee, limit = MAX_ITEMS, before }: Asked,
): Promise<{ readonly ok: true; readonly tickets: QueuedTicket[] } | TicketRefusal> {
  if (!caller.isAdmin && !caller.isSupport) return refuse('FORBIDDEN')
  const { categoryIds } = await viewerOf(sql, caller)
  const found = await selectTickets(sql, caller, {
    rest: `where t.opener_id <> $1 and ($2 or t.category_id = any ($3::uuid[]))
      and ($4::uuid is null or t.category_id = $4) and ($5::text is null or t.status = $5)
      and ($6::text is null or ($6 = 'me' and t.assignee_id = $1) or ($6 = 'nobody' and t.assignee_id is null))
      and ($7::uuid is null or exists (select 1 from control.tickets b where b.id = $7 and b.opener_id <> $1
        and ($2 or b.category_id = any ($3::uuid[]))
        and (${placeOf('t')}) > (${placeOf('b')})))
      order by ${placeOf('t')} limit $8`,
    values: [caller.isAdmin, categoryIds, categoryId ?? null, status ?? null, assignee ?? null, before ?? null, limit],
  })
  const tickets = found.map(({ row, ticket }) => ({
    ...ticket,
    waitingSince: row.waiting_since?.toISOString() ?? null,
  }))
  return { ok: true, tickets }
}
