import type { TicketOpening } from '#contracts/http/ticket.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { mayOpenTicket } from '#domain/tickets/ticket-opening.ts'
import { openedTicket } from '#domain/tickets/ticket-state.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readTicketCategories, readTicketStaff } from '../cms/cms-reader.ts'
import { oncePerKey } from '../platform/once-per-key.ts'
import type { Context } from '../platform/context.ts'
import { announceTicket } from './announce-ticket.ts'
import { reachTicket, refusedBySwitch, refuse, type TicketCaller, type TicketRefusal } from './reach-ticket.ts'
import { storeContext, takenContext, type StoredContext } from './server-context.ts'
import { lockAttachments, sendAttachments } from './ticket-attachments.ts'
import { tellNewTicket } from './tell-new-ticket.ts'
import { insertMessage, insertTicket, markRead } from './ticket-store.ts'

type Opening = {
  readonly caller: TicketCaller & Pick<Caller, 'isVerified'>
  readonly request: TicketOpening
  readonly key: string
  readonly requestId: string
}

/** The second ticket waits for the first one, and sees it. */
const refusedUnverified = async (tx: Sql, { userId, isVerified }: Opening['caller']): Promise<TicketRefusal | null> => {
  if (isVerified) return null
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 94))', [`tickets of ${userId}`])
  const opened = await tx.query('select from control.tickets where opener_id = $1 limit 1', [userId])
  return mayOpenTicket({ isVerified, hasOpened: opened.length > 0 }) ? null : refuse('EMAIL_NOT_VERIFIED')
}

const refusalOf = async (tx: Sql, { caller, request }: Opening, nowMs: number): Promise<TicketRefusal | null> => {
  const off = await refusedBySwitch(tx, 'customer')
  if (off) return off
  const unverified = await refusedUnverified(tx, caller)
  if (unverified) return unverified
  const category = (await readTicketCategories(tx)).find(({ id }) => id === request.categoryId)
  if (!category?.active) return { ...refuse('VALIDATION'), fields: { categoryId: 'invalid' } }
  const { attachments: attachmentIds = [] } = request
  const lacking = await lockAttachments(tx, { userId: caller.userId, attachmentIds, nowMs })
  if (lacking || request.followsId === undefined) return lacking
  const followed = await reachTicket(tx, { caller, ticketId: request.followsId, right: 'read' })
  const isOwn = followed.ok && followed.standing === 'opener' && followed.ticket.status === 'closed'
  return isOwn ? null : { ...refuse('VALIDATION'), fields: { followsId: 'invalid' } }
}

/** The facts that the customer saw. If they have changed the ticket is refused, and the customer looks again. */
const contextOf = async (
  tx: Sql,
  { caller: { userId }, request: { server } }: Opening,
  nowMs: number,
): Promise<StoredContext | TicketRefusal | undefined> => {
  if (server === undefined) return undefined
  const context = await takenContext(tx, { userId, server, nowMs })
  return context ?? { ...refuse('VALIDATION'), fields: { server: 'invalid' } }
}

/** Opens a ticket with its first message, once for each key of the caller. Everybody who opens one is its customer, staff too. */
export function openTicket(context: Pick<Context, 'db' | 'clock' | 'ids'>, opening: Opening) {
  const { caller, request, key, requestId } = opening
  const { userId } = caller
  return context.db.transaction((tx) =>
    oncePerKey<{ ticketId: string }, TicketRefusal>(
      tx,
      { scope: 'open-ticket', userId, key, body: request, atMs: context.clock.now() },
      async () => {
        const refusal = await refusalOf(tx, opening, context.clock.now())
        if (refusal) return refusal
        const about = await contextOf(tx, opening, context.clock.now())
        if (about && 'ok' in about) return about
        const { title, categoryId, message: text, followsId = null } = request
        const progress = openedTicket(context.clock.now())
        const ticketId = await insertTicket(tx, context, { title, categoryId, openerId: userId, followsId, progress })
        if (about) await storeContext(tx, ticketId, about)
        const upTo = await insertMessage(tx, context, {
          ticketId,
          authorId: userId,
          byStaff: false,
          kind: 'message',
          text,
        })
        await sendAttachments(tx, upTo, request.attachments ?? [])
        await markRead(tx, { ticketId, userId, upTo })
        await announceTicket(tx, context, { ticketId, requestId })
        const userIds = await readTicketStaff(tx, categoryId)
        await tellNewTicket(tx, context, { ticket: { id: ticketId, title, openerId: userId }, userIds, requestId })
        return { ok: true, answer: { ticketId } }
      },
    ),
  )
}
