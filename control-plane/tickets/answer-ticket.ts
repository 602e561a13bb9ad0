import { afterAct } from '#domain/tickets/ticket-state.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { oncePerKey } from '../platform/once-per-key.ts'
import type { Context } from '../platform/context.ts'
import { announceTicket } from './announce-ticket.ts'
import { reachTicket, refusedBySwitch, refuse, type TicketCaller, type TicketRefusal } from './reach-ticket.ts'
import { insertAttachment, lockAttachments, sendAttachments, type NewFile } from './ticket-attachments.ts'
import { tellReply } from './tell-reply.ts'
import { insertMessage, markRead, progressOf, saveProgress } from './ticket-store.ts'

type Line = {
  readonly caller: TicketCaller
  readonly ticketId: string
  readonly kind: 'message' | 'note'
  readonly text: string
  /** The text that a mail program quoted below it. */
  readonly quoted?: string | undefined
  readonly attachmentIds?: readonly string[] | undefined
  /** Files that were not uploaded before. */
  readonly files?: readonly NewFile[] | undefined
  readonly requestId: string
}
type Said = Omit<Line, 'quoted' | 'files'> & { readonly key: string }

/** An attempt without files is the same as one from before there were any. */
const bodyOf = ({ ticketId, text, attachmentIds = [] }: Said) => ({
  ticketId,
  text,
  ...(attachmentIds.length > 0 ? { attachmentIds } : {}),
})

/**
 * Writes a line into a ticket and tells the others, in the caller's transaction. A refusal has written nothing. The
 * caller makes sure that the same line is not written twice.
 */
export async function writeLine(
  tx: Sql,
  context: Pick<Context, 'clock' | 'ids'>,
  said: Line,
): Promise<{ readonly ok: true; readonly answer: { readonly messageId: string } } | TicketRefusal> {
  const { caller, ticketId, kind, text, quoted, attachmentIds = [], files = [], requestId } = said
  const nowMs = context.clock.now()
  const reached = await reachTicket(tx, { caller, ticketId, right: kind })
  if (!reached.ok) return reached
  const { ticket, side } = reached
  const off = await refusedBySwitch(tx, side)
  if (off) return off
  const lacking = await lockAttachments(tx, { userId: caller.userId, attachmentIds, nowMs })
  if (lacking) return lacking
  if (kind === 'message') {
    const after = afterAct(progressOf(ticket), { act: 'message', side, nowMs })
    if (!after.ok) return refuse(after.code)
    await saveProgress(tx, ticketId, after.ticket)
  }
  const line = { ticketId, authorId: caller.userId, byStaff: side === 'staff', kind, text, quoted }
  const messageId = await insertMessage(tx, context, line)
  const added: string[] = []
  for (const file of files) added.push((await insertAttachment(tx, context, { userId: caller.userId, file })).id)
  await sendAttachments(tx, messageId, [...attachmentIds, ...added])
  await announceTicket(tx, context, { ticketId, requestId, staffOnly: kind === 'note' })
  if (kind === 'message') await tellReply(tx, context, { reached, authorId: caller.userId, requestId })
  return { ok: true, answer: { messageId } }
}

/** Whether the caller could write a message into a ticket at this moment: asked before work that only a message needs, and decided again by `writeLine`. */
export async function canWriteMessage(
  sql: Sql,
  { caller, ticketId, nowMs }: { caller: TicketCaller; ticketId: string; nowMs: number },
): Promise<boolean> {
  const reached = await reachTicket(sql, { caller, ticketId, right: 'message' })
  if (!reached.ok) return false
  const { ticket, side } = reached
  if ((await refusedBySwitch(sql, side)) !== null) return false
  return afterAct(progressOf(ticket), { act: 'message', side, nowMs }).ok
}

/** Adds a message of a customer or of staff, or a note of staff, once for each key of the caller. */
export function answerTicket(context: Pick<Context, 'db' | 'clock' | 'ids'>, said: Said) {
  const { caller, ticketId, kind, key } = said
  const request = {
    scope: `ticket-${kind}`,
    userId: caller.userId,
    key,
    body: bodyOf(said),
    atMs: context.clock.now(),
  }
  return context.db.transaction((tx) =>
    oncePerKey<{ messageId: string }, TicketRefusal>(tx, request, async () => {
      const written = await writeLine(tx, context, said)
      // A person who writes on the page has the ticket before them.
      if (written.ok) await markRead(tx, { ticketId, userId: caller.userId, upTo: written.answer.messageId })
      return written
    }),
  )
}
