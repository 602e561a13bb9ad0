import { createHash } from 'node:crypto'
import type { TicketAttachment } from '#contracts/http/desk/ticket-entity.ts'
import { TICKET_BOUNDS } from '#contracts/http/ticket.ts'
import {
  ATTACHMENT_BOUNDS,
  ATTACHMENT_WAITS_MS,
  ATTACHMENT_WINDOW_MS,
  attachmentContent,
  attachmentName,
  refusalOfScan,
  type AttachmentContent,
} from '#domain/tickets/attachment.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { ScanFailure, type VirusScanner } from '#platform/virus-scan/virus-scanner.ts'
import type { Context } from '../platform/context.ts'
import { oncePerKey } from '../platform/once-per-key.ts'
import { reachTicket, refuse, type TicketCaller, type TicketRefusal } from './reach-ticket.ts'
import { withMerged } from './ticket-store.ts'

type Upload = {
  readonly userId: string
  readonly name: string
  readonly bytes: Uint8Array
  readonly key: string
}

/** A file whose bytes were looked at, under the name that it is kept by. */
export type NewFile = { readonly name: string; readonly content: AttachmentContent; readonly bytes: Uint8Array }

/** Stores a file that belongs to no message yet. */
export async function insertAttachment(
  tx: Sql,
  { ids, clock }: Pick<Context, 'ids' | 'clock'>,
  { userId, file }: { userId: string; file: NewFile },
): Promise<TicketAttachment> {
  const { name, bytes } = file
  const { kind, mediaType } = file.content
  const id = ids.next()
  await tx.query(
    `insert into control.ticket_attachments (id, author_id, name, kind, media_type, bytes, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [id, userId, name, kind, mediaType, Buffer.from(bytes), new Date(clock.now())],
  )
  return { id, name, kind, size: bytes.length }
}

/** Files that can still be sent are younger than this. */
const waitingSince = (nowMs: number): Date => new Date(nowMs - ATTACHMENT_WAITS_MS)

/**
 * How many bytes of files the account may still add. Until the end of the transaction nobody else adds one for it, so that files at the
 * same time count each other.
 */
export async function attachmentRoom(tx: Sql, { userId, nowMs }: { userId: string; nowMs: number }): Promise<number> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 73))', [`attachments of ${userId}`])
  const [added] = await tx.query<{ bytes: number }>(
    `select coalesce(sum(size), 0)::double precision as bytes from control.ticket_attachments where author_id = $1 and created_at > $2`,
    [userId, new Date(nowMs - ATTACHMENT_WINDOW_MS)],
  )
  return ATTACHMENT_BOUNDS.perAccount - (added?.bytes ?? 0)
}

/** Why the virus scanner does not let a file through; null if it does. */
const scanRefusal = async (scanner: VirusScanner, { bytes, userId }: Upload): Promise<TicketRefusal | null> => {
  try {
    const code = refusalOfScan((await scanner.scan(bytes, userId)).kind)
    return code && refuse(code)
  } catch (error) {
    if (error instanceof ScanFailure) return refuse('ATTACHMENT_NOT_SCANNED')
    throw error
  }
}

type Kept = { readonly ok: true; readonly answer: TicketAttachment }
/** Nobody has looked at the file yet. */
const UNKNOWN = { ok: false, code: 'UNKNOWN' } as const
type Keeping = Pick<Context, 'db' | 'clock' | 'ids'> & { readonly scanner: VirusScanner }

/** Why there is no room for another file of its sender; null if there is. */
async function roomRefusal(
  tx: Sql,
  { userId, size, nowMs }: { userId: string; size: number; nowMs: number },
): Promise<TicketRefusal | null> {
  const room = await attachmentRoom(tx, { userId, nowMs })
  const [unsent] = await tx.query<{ count: number }>(
    `select count(*)::integer as count from control.ticket_attachments
     where author_id = $1 and message_id is null and created_at > $2`,
    [userId, waitingSince(nowMs)],
  )
  if ((unsent?.count ?? 0) >= ATTACHMENT_BOUNDS.unsent) return refuse('ATTACHMENT_LIMIT')
  return size > room ? refuse('ATTACHMENT_SPACE') : null
}

/**
 * Keeps a file for the next message of its sender, once for each key. Its kind is decided here again by its bytes:
 * ATTACHMENT_REFUSED for anything but pictures, text and zip archives, ATTACHMENT_LIMIT while too many wait,
 * ATTACHMENT_SPACE without room for it. The virus scanner is asked about a file that could be kept:
 * ATTACHMENT_INFECTED, ATTACHMENT_UNSCANNABLE for a size that it never looks at, ATTACHMENT_NOT_SCANNED for now.
 */
export async function keepAttachment(context: Keeping, upload: Upload) {
  const { userId, bytes, key } = upload
  const content = attachmentContent(bytes)
  if (content === null || bytes.length > ATTACHMENT_BOUNDS.bytes) return refuse('ATTACHMENT_REFUSED')
  const body = { name: upload.name, sha256: createHash('sha256').update(bytes).digest('hex') }
  const once = <Refusal extends { readonly ok: false }>(keep: (tx: Sql, nowMs: number) => Promise<Kept | Refusal>) => {
    const atMs = context.clock.now()
    const request = { scope: 'ticket-attachment', userId, key, body, atMs }
    return context.db.transaction((tx) => oncePerKey<TicketAttachment, Refusal>(tx, request, () => keep(tx, atMs)))
  }
  const size = bytes.length
  const known = await once(async (tx, nowMs) => (await roomRefusal(tx, { userId, size, nowMs })) ?? UNKNOWN)
  if (known.ok || known.code !== 'UNKNOWN') return known
  // It may take long: no transaction waits for it.
  const stopped = await scanRefusal(context.scanner, upload)
  if (stopped !== null) return stopped
  return once<TicketRefusal>(async (tx, nowMs) => {
    const full = await roomRefusal(tx, { userId, size, nowMs })
    if (full !== null) return full
    const file = { name: attachmentName(upload.name, content), content, bytes }
    return { ok: true, answer: await insertAttachment(tx, context, { userId, file }) }
  })
}

/** Removes a file of the caller that was not sent; NOT_FOUND for every other one. */
export async function dropAttachment(
  { db }: Pick<Context, 'db'>,
  { userId, attachmentId }: { userId: string; attachmentId: string },
): Promise<{ readonly ok: true } | TicketRefusal> {
  const dropped = await db.query(
    'delete from control.ticket_attachments where id = $1 and author_id = $2 and message_id is null returning 1',
    [attachmentId, userId],
  )
  return dropped.length === 1 ? { ok: true } : refuse('NOT_FOUND')
}

/** Locks the files that go with a message; a refusal unless each was uploaded by its author within a day and was not sent. */
export async function lockAttachments(
  tx: Sql,
  { userId, attachmentIds, nowMs }: { userId: string; attachmentIds: readonly string[]; nowMs: number },
): Promise<TicketRefusal | null> {
  if (attachmentIds.length === 0) return null
  const rows = await tx.query(
    `select 1 from control.ticket_attachments
     where id = any ($1) and author_id = $2 and message_id is null and created_at > $3 order by id for update`,
    [attachmentIds, userId, waitingSince(nowMs)],
  )
  return rows.length === attachmentIds.length ? null : { ...refuse('VALIDATION'), fields: { attachments: 'invalid' } }
}

/** Gives locked files to the message that was just written. */
export async function sendAttachments(tx: Sql, messageId: string, attachmentIds: readonly string[]): Promise<void> {
  if (attachmentIds.length === 0) return
  await tx.query(
    `update control.ticket_attachments a set message_id = $1, place = sent.place
     from unnest($2::uuid[]) with ordinality sent (id, place) where a.id = sent.id`,
    [messageId, attachmentIds],
  )
}

/** The files of messages, in their order, without their bytes. */
export async function attachmentsOf(
  sql: Sql,
  messageIds: readonly string[],
): Promise<ReadonlyMap<string, readonly TicketAttachment[]>> {
  const rows = await sql.query<TicketAttachment & { message_id: string }>(
    `select message_id, id, name, kind, size from control.ticket_attachments where message_id = any ($1) order by message_id, place`,
    [messageIds],
  )
  const found = new Map<string, TicketAttachment[]>()
  for (const { message_id: messageId, ...file } of rows) found.set(messageId, [...(found.get(messageId) ?? []), file])
  return found
}

/**
 * The files of a ticket and of those that were merged into it, without their bytes, in the order of their messages; of very many the newest. Files
 * of notes are for staff.
 */
export const filesOfTicket = (
  sql: Sql,
  { ticketId, isStaff }: { ticketId: string; isStaff: boolean },
): Promise<TicketAttachment[]> =>
  sql.query<TicketAttachment>(
    `select f.id, f.name, f.kind, f.size from (
       select a.id, a.name, a.kind, a.size, a.place, m.seq
       from control.ticket_messages m join control.ticket_attachments a on a.message_id = m.id
       where m.ticket_id in ${withMerged('$1::uuid')} and (m.kind <> 'note' or $2) order by m.seq desc, a.place desc limit $3) f
     order by f.seq, f.place`,
    [ticketId, isStaff, TICKET_BOUNDS.files],
  )

/** A file of a message that the caller may read, in base64; NOT_FOUND for every other one. Files of notes are for staff. */
export async function readAttachment(
  { db }: Pick<Context, 'db'>,
  { caller, ticketId, attachmentId }: { caller: TicketCaller; ticketId: string; attachmentId: string },
): Promise<{ readonly ok: true; readonly file: { name: string; mediaType: string; bytes: string } } | TicketRefusal> {
  const reached = await reachTicket(db, { caller, ticketId, right: 'read' })
  if (!reached.ok) return reached
  const [file] = await db.query<{ name: string; media_type: string; bytes: Buffer }>(
    `select a.name, a.media_type, a.bytes from control.ticket_attachments a join control.ticket_messages m on m.id = a.message_id
     where a.id = $1 and m.ticket_id in ${withMerged('$2::uuid')} and (m.kind <> 'note' or $3)`,
    [attachmentId, ticketId, reached.standing === 'staff'],
  )
  if (!file) return refuse('NOT_FOUND')
  return { ok: true, file: { name: file.name, mediaType: file.media_type, bytes: file.bytes.toString('base64') } }
}
