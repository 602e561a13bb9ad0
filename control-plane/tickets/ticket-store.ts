import type { TicketEvent } from '#contracts/http/ticket.ts'
import { identifierFrom } from '#domain/kernel/identifier.ts'
import { TICKET_STATES, type TicketProgress } from '#domain/tickets/ticket-state.ts'
import type { Sql } from '#platform/postgres/database.ts'
import * as z from 'zod'
import type { Context } from '../platform/context.ts'

const IDENTIFIER_ATTEMPTS = 10

const TicketRow = z.object({
  id: z.string(),
  identifier: z.string(),
  title: z.string(),
  category_id: z.string(),
  status: z.enum(TICKET_STATES),
  opener_id: z.string(),
  assignee_id: z.string().nullable(),
  follows_id: z.string().nullable(),
  merged_into: z.string().nullable(),
  merged_number: z.string().nullable(),
  waiting_since: z.date().nullable(),
  first_reply_at: z.date().nullable(),
  closed_at: z.date().nullable(),
  rating: z.enum(['good', 'bad']).nullable(),
  rating_changes: z.int(),
  created_at: z.date(),
  added_ids: z.array(z.string()),
})
export type TicketRow = z.infer<typeof TicketRow>

/** The ids of a ticket and of those that were merged into it, whose lines are read as one. `id` is an expression. */
export const withMerged = (id: string): string =>
  `(select ${id} as id union all select g.id from control.tickets g where g.merged_into = ${id})`

/** The category by which the ticket of an alias is seen. */
export const categoryOf = (t: string): string =>
  `case when ${t}.merged_into is null then ${t}.category_id else (select g.category_id from control.tickets g where g.id = ${t}.merged_into) end`

/**
 * The columns of a row, for statements with more of their own. A merged ticket has the category and the people of the one that it was merged
 * into: whoever sees that one sees both, and nobody else does.
 */
export const TICKET_COLUMNS = `t.id, t.identifier, t.title, ${categoryOf('t')} as category_id, t.status, t.opener_id, t.assignee_id, t.follows_id, t.merged_into,
  (select g.identifier from control.tickets g where g.id = t.merged_into) as merged_number,
  t.waiting_since, t.first_reply_at, t.closed_at, t.rating, t.rating_changes, t.created_at,
  array(select p.user_id from control.ticket_people p where p.ticket_id = coalesce(t.merged_into, t.id) order by p.added_at, p.user_id) as added_ids`

export const ticketRowOf = (row: Record<string, unknown>): TicketRow => TicketRow.parse(row)

/** The progress of a ticket, from which the domain decides the next act. */
export const progressOf = (row: TicketRow): TicketProgress => ({
  status: row.status,
  closedAtMs: row.closed_at?.getTime() ?? null,
  waitingSinceMs: row.waiting_since?.getTime() ?? null,
  firstReplyAtMs: row.first_reply_at?.getTime() ?? null,
  isMerged: row.merged_into !== null,
})

/** A ticket, or undefined. With `lock` nobody else changes it until the transaction ends. */
export async function findTicket(sql: Sql, id: string, lock = false): Promise<TicketRow | undefined> {
  if (lock) await sql.query('select 1 from control.tickets where id = $1 for update', [id])
  const [row] = await sql.query<Record<string, unknown>>(
    `select ${TICKET_COLUMNS} from control.tickets t where t.id = $1`,
    [id],
  )
  return row && ticketRowOf(row)
}

const asDate = (ms: number | null): Date | null => (ms === null ? null : new Date(ms))

/** Stores a new ticket under an identifier that no other one has, and returns its id. */
export async function insertTicket(
  tx: Sql,
  { ids, clock }: Pick<Context, 'ids' | 'clock'>,
  ticket: { title: string; categoryId: string; openerId: string; followsId: string | null; progress: TicketProgress },
): Promise<string> {
  const id = ids.next()
  const { status, waitingSinceMs } = ticket.progress
  for (let attempt = 0; attempt < IDENTIFIER_ATTEMPTS; attempt += 1) {
    const identifier = identifierFrom(ids.bytes(32))
    if (identifier === undefined) continue
    const written = await tx.query(
      `insert into control.tickets (id, identifier, title, category_id, status, opener_id, follows_id, waiting_since, created_at, moved_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) on conflict (identifier) do nothing returning 1`,
      [
        id,
        identifier,
        ticket.title,
        ticket.categoryId,
        status,
        ticket.openerId,
        ticket.followsId,
        asDate(waitingSinceMs),
        new Date(clock.now()),
      ],
    )
    if (written.length === 1) return id
  }
  throw new Error('no free identifier was found')
}

/** Stores what an act changed. */
export async function saveProgress(tx: Sql, id: string, progress: TicketProgress): Promise<void> {
  await tx.query(
    'update control.tickets set status = $2, closed_at = $3, waiting_since = $4, first_reply_at = $5 where id = $1',
    [
      id,
      progress.status,
      asDate(progress.closedAtMs),
      asDate(progress.waitingSinceMs),
      asDate(progress.firstReplyAtMs),
    ],
  )
}

/** A message, a note or an event that is added to a ticket. */
export type NewMessage = { readonly ticketId: string; readonly authorId: string; readonly byStaff: boolean } & (
  | { readonly kind: 'message' | 'note'; readonly text: string; readonly quoted?: string | undefined }
  | { readonly kind: 'event'; readonly event: TicketEvent; readonly aboutId?: string | undefined }
)

/** Adds a line to a locked ticket. A note does not move the ticket in the lists of its customers. */
export async function insertMessage(
  tx: Sql,
  { ids, clock }: Pick<Context, 'ids' | 'clock'>,
  message: NewMessage,
): Promise<string> {
  const id = ids.next()
  const at = new Date(clock.now())
  const { ticketId, authorId, byStaff, kind } = message
  const [text, event, aboutId] =
    kind === 'event' ? ['', message.event, message.aboutId ?? null] : [message.text, null, null]
  const quoted = kind === 'event' ? '' : (message.quoted ?? '')
  await tx.query(
    `insert into control.ticket_messages (id, ticket_id, author_id, by_staff, kind, text, event, about_id, created_at, quoted)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [id, ticketId, authorId, byStaff, kind, text, event, aboutId, at, quoted],
  )
  if (kind !== 'note') await tx.query('update control.tickets set moved_at = $2 where id = $1', [ticketId, at])
  return id
}

/** Notes that somebody has read everything up to a message of this ticket; earlier marks stay. */
export async function markRead(
  tx: Sql,
  { ticketId, userId, upTo }: { ticketId: string; userId: string; upTo: string },
): Promise<void> {
  await tx.query(
    `insert into control.ticket_reads (ticket_id, user_id, read_seq)
     select $1, $2, m.seq from control.ticket_messages m where m.id = $3 and m.ticket_id in ${withMerged('$1::uuid')}
     on conflict (ticket_id, user_id) do update set read_seq = greatest(ticket_reads.read_seq, excluded.read_seq)`,
    [ticketId, userId, upTo],
  )
}
