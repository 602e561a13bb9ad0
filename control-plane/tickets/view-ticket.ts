import { TICKET_BOUNDS, TICKET_EVENTS, type TicketMessage, type TicketView } from '#contracts/http/ticket.ts'
import { readsServerContext } from '#domain/tickets/ticket-access.ts'
import { canReopen } from '#domain/tickets/ticket-state.ts'
import type { Sql } from '#platform/postgres/database.ts'
import * as z from 'zod'
import type { Context } from '../platform/context.ts'
import { accessOf } from '../servers/access/server-access.ts'
import { reachTicket, type ReachedTicket, type TicketCaller, type TicketRefusal } from './reach-ticket.ts'
import { namesOf, shownTicketOf } from './read-tickets.ts'
import { ticketContext } from './server-context.ts'
import { attachmentsOf } from './ticket-attachments.ts'
import { progressOf, withMerged } from './ticket-store.ts'

const MessageRow = z.object({
  id: z.string(),
  author_id: z.string(),
  by_staff: z.boolean(),
  kind: z.enum(['message', 'note', 'event']),
  text: z.string(),
  quoted: z.string(),
  event: z.enum(TICKET_EVENTS).nullable(),
  about_id: z.string().nullable(),
  created_at: z.date(),
  /** The identifier of the merged ticket in which it stands; null for a line of the ticket itself. */
  origin: z.string().nullable(),
})
type MessageRow = z.infer<typeof MessageRow>

type Page = { readonly limit?: number | undefined; readonly before?: string | undefined }
/** `serverMark` is the mark of what the reader has on their page of what was sent along. */
type Asked = {
  readonly caller: TicketCaller
  readonly ticketId: string
  readonly serverMark?: string | undefined
} & Page

/** The ticket that is read has a line of its own about each merge into it; that of the merged ticket is left out. */
const IS_SAID = `(m.ticket_id <> $1 and m.event = 'merged into')`

/** A page of the lines of a ticket and of those that were merged into it, newest first, and one more if there are earlier ones. */
const readLines = async (
  sql: Sql,
  { ticket, standing }: ReachedTicket,
  { limit, before }: Required<Pick<Page, 'before' | 'limit'>>,
): Promise<MessageRow[]> => {
  const rows = await sql.query<Record<string, unknown>>(
    `select m.id, m.author_id, m.by_staff, m.kind, m.text, m.quoted, m.event, m.about_id, m.created_at,
       case when m.ticket_id <> $1 then (select o.identifier from control.tickets o where o.id = m.ticket_id) end as origin
     from control.ticket_messages m
     where m.ticket_id in ${withMerged('$1::uuid')} and (m.kind <> 'note' or $2) and ${IS_SAID} is not true
       and ($3::uuid is null
         or m.seq < (select b.seq from control.ticket_messages b where b.id = $3 and b.ticket_id in ${withMerged('$1::uuid')}))
     order by m.seq desc limit $4`,
    [ticket.id, standing === 'staff', before ?? null, (limit ?? 0) + 1],
  )
  return rows.map((row) => MessageRow.parse(row))
}

/** The identifiers of the tickets that lines about a merge name. */
const numbersOf = async (sql: Sql, lines: readonly MessageRow[]): Promise<ReadonlyMap<string, string>> => {
  const ids = lines.flatMap((line) => (line.about_id !== null && isOfMerge(line.event) ? [line.about_id] : []))
  if (ids.length === 0) return new Map()
  const rows = await sql.query<{ id: string; identifier: string }>(
    'select id, identifier from control.tickets where id = any ($1)',
    [ids],
  )
  return new Map(rows.map(({ id, identifier }) => [id, identifier]))
}

type Reader = { readonly caller: TicketCaller; readonly standing: ReachedTicket['standing'] }
type ShownServer = { readonly name: string; readonly mayOpen: boolean }

/** The servers that lines about a grant name, deleted ones too. Staff may name one that is there; everybody else opens those of their own list. */
const serversOf = async (
  sql: Sql,
  { caller, standing }: Reader,
  lines: readonly MessageRow[],
): Promise<ReadonlyMap<string, ShownServer>> => {
  const ids = lines.flatMap((line) => (line.about_id !== null && isOfServer(line.event) ? [line.about_id] : []))
  if (ids.length === 0) return new Map()
  const rows = await sql.query<{ id: string; name: string; is_here: boolean }>(
    `select s.id, s.name, s.deleted_at is null and s.desired = 'installed' as is_here
     from control.servers s where s.id = any ($1)`,
    [ids],
  )
  const shown = rows.map(async ({ id, name, is_here: isHere }) => {
    const mayOpen = isHere && (standing === 'staff' || (await accessOf(sql, caller, id)) !== undefined)
    return [id, { name, mayOpen }] as const
  })
  return new Map(await Promise.all(shown))
}

const isOfServer = (event: MessageRow['event']): boolean => event === 'test server granted'
const isOfMerge = (event: MessageRow['event']): boolean => event === 'merged into' || event === 'merged from'

const shownLines = async (sql: Sql, reader: Reader, lines: readonly MessageRow[]): Promise<TicketMessage[]> => {
  const { caller } = reader
  const userIds = lines.flatMap(({ author_id: author, about_id: about }) => [
    author,
    ...(about === null ? [] : [about]),
  ])
  const names = await namesOf(sql, { locale: caller.locale, userIds })
  const numbers = await numbersOf(sql, lines)
  const servers = await serversOf(sql, reader, lines)
  const aboutOf = ({ event, about_id: about }: MessageRow): string | null => {
    if (about === null) return null
    if (isOfServer(event)) return servers.get(about)?.name ?? null
    if (isOfMerge(event)) return numbers.get(about) ?? null
    return event === 'moved' ? names.category(about) : names.person(about).username
  }
  const attachments = await attachmentsOf(
    sql,
    lines.map(({ id }) => id),
  )
  return lines.map((line) => ({
    id: line.id,
    kind: line.kind,
    author: { ...names.person(line.author_id), isStaff: line.by_staff },
    message: line.text,
    ...(line.quoted === '' ? {} : { quoted: line.quoted }),
    event: line.event && {
      type: line.event,
      about: aboutOf(line),
      ...(line.about_id !== null && servers.get(line.about_id)?.mayOpen ? { serverId: line.about_id } : {}),
    },
    attachments: [...(attachments.get(line.id) ?? [])],
    createdAt: line.created_at.toISOString(),
    ...(line.origin === null ? {} : { origin: line.origin }),
  }))
}

/** The ticket that this one goes on with; null if the reader does not see it. */
const followedBy = async (sql: Sql, caller: TicketCaller, followsId: string | null): Promise<TicketView['follows']> => {
  if (followsId === null) return null
  const followed = await reachTicket(sql, { caller, ticketId: followsId, right: 'read' })
  return followed.ok ? { id: followed.ticket.id, identifier: followed.ticket.identifier } : null
}

/** A ticket with a page of its messages, oldest first, as the caller sees it. */
export async function viewTicket(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  asked: Asked,
): Promise<{ readonly ok: true; readonly view: TicketView } | TicketRefusal> {
  const { caller, ticketId, limit = TICKET_BOUNDS.messagesShown, before, serverMark } = asked
  const reached = await reachTicket(db, { caller, ticketId, right: 'read' })
  if (!reached.ok) return reached
  const { ticket, standing } = reached
  const lines = await readLines(db, reached, { limit, before })
  // A person who reads earlier lines has read the ticket: its files and what was sent along stay as they are on the page.
  const isKnown = before !== undefined
  const sent = isKnown || !readsServerContext(standing) ? undefined : await ticketContext(db, ticketId, caller.locale)
  const view = {
    ticket: await shownTicketOf(db, { caller, ticketId, isStaff: standing === 'staff', isKnown }),
    standing,
    messages: await shownLines(db, { caller, standing }, lines.slice(0, limit).toReversed()),
    hasEarlier: lines.length > limit,
    canReopen: canReopen(progressOf(ticket), clock.now()),
    follows: await followedBy(db, caller, ticket.follows_id),
    rating: ticket.rating,
    // A log of 200 lines would go out with every read otherwise, and staff's page reads every few seconds.
    ...(sent ? { serverMark: sent.mark, ...(sent.mark === serverMark ? {} : { server: sent.context }) } : {}),
  }
  return { ok: true, view }
}

/** A message or a note of a ticket that its reader sees, as they see it. */
export async function shownLine(sql: Sql, caller: TicketCaller, messageId: string): Promise<TicketMessage> {
  const rows = await sql.query<Record<string, unknown>>(
    'select id, author_id, by_staff, kind, text, quoted, event, about_id, created_at, null as origin from control.ticket_messages where id = $1',
    [messageId],
  )
  const [line] = await shownLines(
    sql,
    { caller, standing: 'added' },
    rows.map((row) => MessageRow.parse(row)),
  )
  if (!line) throw new Error('a message that was just written')
  return line
}
