import type { TicketAttachment } from '#contracts/http/desk/ticket-entity.ts'
import type { MailOrder } from '#contracts/mail/mail.ts'
import { channelsOf } from '#domain/notifications/matrix.ts'
import { REPLY_MAIL_AFTER_MS, REPLY_MAIL_LIFE_MS } from '#domain/tickets/reply-mail.ts'
import { isAskedToRate } from '#domain/tickets/ticket-access.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { isErased, isSuspended, readPeople, readPerson } from '../../cms/cms-reader.ts'
import { acceptMail } from '../../messages/mail/accept-mail.ts'
import type { MailSealing } from '../../messages/mail/mail-context.ts'
import { readChosen } from '../../messages/notices/notice-settings.ts'
import { unreadReplies, type UnreadReply } from '../../messages/notices/unread-replies.ts'
import type { Context } from '../../platform/context.ts'
import { attachmentsOf } from '../ticket-attachments.ts'
import { findTicket, type TicketRow } from '../ticket-store.ts'
import { REQUEST_OF_ROW } from './request-of-replies.ts'

/** How many replies one mail has: the newest ones. The others stand in the ticket. */
const MOST_REPLIES = 10
/** The tasks of one run. */
const BATCH = 200

/**
 * Plans a mail about a reply that was just written, unless one is planned already: that will have both. The first one to somebody has nothing
 * from before that reply.
 */
export async function planReplyMail(
  tx: Sql,
  { ticketId, userId, nowMs }: { ticketId: string; userId: string; nowMs: number },
): Promise<void> {
  await tx.query(
    `insert into control.ticket_mails (ticket_id, user_id, due_at, mailed_seq)
     values ($1, $2, $3, (select max(seq) - 1 from control.ticket_messages where ticket_id = $1))
     on conflict (ticket_id, user_id) do update set due_at = coalesce(ticket_mails.due_at, excluded.due_at)`,
    [ticketId, userId, new Date(nowMs + REPLY_MAIL_AFTER_MS)],
  )
}

type Planned = { request: string; ticket_id: string; user_id: string; mailed_seq: bigint; answer_to: string | null }
type Deps = Pick<Context, 'db' | 'ids' | 'clock' | 'faults'> & MailSealing

const wantsMail = async (tx: Sql, userId: string): Promise<boolean> => {
  const chosen = (await readChosen(tx, userId)).get('ticket.reply')
  return channelsOf('ticket.reply', { chosen, hasBrowser: false }).mail
}

const oneLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu, ' ').trim()

/** Files are named, and read in the ticket: whoever reads the mail need not be its customer. */
const filesOf = (files: readonly TicketAttachment[] = []) =>
  files.length === 0 ? {} : { files: files.map(({ name, size }) => ({ name: oneLine(name), size })) }

/** The rights of the person: this mail replaces the one about the closing, so its opener hears that they can rate the ticket. */
const standing = ({ status, opener_id: openerId, rating }: TicketRow, userId: string) => ({
  ...(openerId === userId ? {} : { isAdded: true as const }),
  ...(status === 'closed' ? { isClosed: true as const } : {}),
  ...(status === 'closed' && isAskedToRate(userId, { openerId, rating }) ? { rates: true as const } : {}),
})

/** The mail about the unread replies of a ticket; undefined for whoever may not have it, or does not want it. */
async function composeReply(
  tx: Sql,
  { ids, clock }: Pick<Context, 'ids' | 'clock'>,
  { planned, replies }: { planned: Planned; replies: readonly UnreadReply[] },
): Promise<MailOrder | undefined> {
  const { ticket_id: ticketId, user_id: userId, answer_to: answerTo } = planned
  const [ticket, person] = [await findTicket(tx, ticketId), await readPerson(tx, userId)]
  // An unverified address may belong to somebody else.
  if (!ticket || !person?.verified || (await isErased(tx, userId)) || (await isSuspended(tx, userId))) return undefined
  if (ticket.opener_id !== userId && !ticket.added_ids.includes(userId)) return undefined
  if (!(await wantsMail(tx, userId))) return undefined
  // A reply from before a merge is mailed under its own number, and leads to the ticket that goes on.
  const current = ticket.merged_into === null ? ticket : await findTicket(tx, ticket.merged_into)
  const authors = await readPeople(tx, [...new Set(replies.map(({ author_id: id }) => id))])
  const nameOf = (id: string): string => oneLine(authors.find((author) => author.id === id)?.username ?? '') || 'Staff'
  const files = await attachmentsOf(
    tx,
    replies.map(({ id }) => id),
  )
  const { identifier } = ticket
  const earlier = (replies[0]?.unread ?? 0) - replies.length
  const params = {
    title: oneLine(ticket.title) || identifier,
    person: nameOf(replies.at(-1)?.author_id ?? ''),
    replies: replies.map((reply) => ({
      person: nameOf(reply.author_id),
      text: reply.text,
      ...filesOf(files.get(reply.id)),
    })),
    ...(earlier > 0 ? { earlier } : {}),
    ...standing(current ?? ticket, userId),
    thread: { ticketId, userId, identifier, ...(answerTo === null ? {} : { answerTo }) },
    path: `/dashboard/ticket/${current?.id ?? ticketId}`,
  }
  return {
    id: ids.next(),
    to: person.email,
    language: person.language,
    expiresAt: new Date(clock.now() + REPLY_MAIL_LIFE_MS).toISOString(),
    content: { kind: 'ticket.reply', params },
  }
}

/** Mails the unread replies of one ticket to one person. The mail and the note of it are one transaction. False when none is due. */
async function mailNext(deps: Deps): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const [planned] = await tx.query<Planned>(
      `select ticket_id, user_id, mailed_seq, answer_to, ${REQUEST_OF_ROW} as request from control.ticket_mails
       where due_at <= $1 and ${REQUEST_OF_ROW} not in (select request_id from control.mails where state = 'waiting' and kind = 'ticket.reply')
       order by due_at limit 1 for update skip locked`,
      [new Date(deps.clock.now())],
    )
    if (!planned) return false
    const { ticket_id: ticketId, user_id: userId, mailed_seq: mailedSeq } = planned
    const replies = await unreadReplies(tx, { ticketId, userId, mailedSeq, most: MOST_REPLIES })
    const last = replies.at(-1)
    const order = last && (await composeReply(tx, deps, { planned, replies }))
    if (order) await acceptMail(tx, deps, { order, requestId: planned.request })
    await deps.faults('reply-mail.accepted')
    await tx.query(
      `update control.ticket_mails set due_at = null, mailed_seq = greatest(mailed_seq, $3)
       where ticket_id = $1 and user_id = $2`,
      [ticketId, userId, last?.seq ?? 0n],
    )
    return true
  })
}

/**
 * Mails replies of staff that stayed unread. While the mail server has not taken the last mail of a ticket to a person, the next one is not
 * written: mails come in their order, and one has everything that was said meanwhile. A repetition, and a second process at the same time, send nothing twice.
 */
export async function mailReplies(deps: Deps): Promise<void> {
  for (let done = 0; done < BATCH; done += 1) if (!(await mailNext(deps))) return
}
