import { afterAct } from '#domain/tickets/ticket-state.ts'
import { oncePerKey } from '../platform/once-per-key.ts'
import type { Context } from '../platform/context.ts'
import { announceTicket } from './announce-ticket.ts'
import { reachTicket, refusedBySwitch, refuse, type TicketCaller, type TicketRefusal } from './reach-ticket.ts'
import { lockAttachments, sendAttachments } from './ticket-attachments.ts'
import { tellReply } from './tell-reply.ts'
import { insertMessage, markRead, progressOf, saveProgress } from './ticket-store.ts'

type Said = {
  readonly caller: TicketCaller
  readonly ticketId: string
  readonly kind: 'message' | 'note'
  readonly text: string
  readonly attachmentIds?: readonly string[] | undefined
  readonly key: string
  readonly requestId: string
}

/** An attempt without files is the same as one from before there were any. */
const bodyOf = ({ ticketId, text, attachmentIds = [] }: Said) => ({
  ticketId,
  text,
  ...(attachmentIds.length > 0 ? { attachmentIds } : {}),
})

/** Adds a message of a customer or of staff, or a note of staff, once for each key of the caller. */
export function answerTicket(context: Pick<Context, 'db' | 'clock' | 'ids'>, said: Said) {
  const { caller, ticketId, kind, text, attachmentIds = [], key, requestId } = said
  const nowMs = context.clock.now()
  const request = { scope: `ticket-${kind}`, userId: caller.userId, key, body: bodyOf(said), atMs: nowMs }
  return context.db.transaction((tx) =>
    oncePerKey<{ messageId: string }, TicketRefusal>(tx, request, async () => {
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
      const line = { ticketId, authorId: caller.userId, byStaff: side === 'staff', kind, text }
      const messageId = await insertMessage(tx, context, line)
      await sendAttachments(tx, messageId, attachmentIds)
      await markRead(tx, { ticketId, userId: caller.userId, upTo: messageId })
      await announceTicket(tx, context, { ticketId, requestId, staffOnly: kind === 'note' })
      if (kind === 'message') await tellReply(tx, context, { reached, authorId: caller.userId, requestId })
      return { ok: true, answer: { messageId } }
    }),
  )
}
