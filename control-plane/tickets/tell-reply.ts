import type { Sql } from '#platform/postgres/database.ts'
import { readPerson, readTicketStaff } from '../cms/cms-reader.ts'
import { notifyUser } from '../messages/notices/notify-user.ts'
import type { Context } from '../platform/context.ts'
import { planReplyMail } from './mail/reply-mails.ts'
import type { ReachedTicket } from './reach-ticket.ts'

/** The others who hear of a message: of staff its customers, of a customer the assignee, who must still work there. */
const readersOf = async (
  tx: Sql,
  { ticket, side }: Pick<ReachedTicket, 'ticket' | 'side'>,
): Promise<readonly string[]> => {
  if (side === 'staff') return [ticket.opener_id, ...ticket.added_ids]
  const assignee = ticket.assignee_id
  if (assignee === null || assignee === ticket.opener_id) return []
  return (await readTicketStaff(tx, ticket.category_id)).includes(assignee) ? [assignee] : []
}

/**
 * Rings the bells of the others in the transaction that stores the message: one message is told once, and none without being stored.
 * Nobody hears of notes.
 */
export async function tellReply(
  tx: Sql,
  context: Pick<Context, 'ids' | 'clock'>,
  { reached, authorId, requestId }: { reached: ReachedTicket; authorId: string; requestId: string },
): Promise<void> {
  const { ticket, side } = reached
  const author = await readPerson(tx, authorId)
  const data = { ticketId: ticket.id, title: ticket.title, ...(author ? { person: author.username } : {}) }
  const text = side === 'staff' ? 'ticket.reply' : 'ticket.customer-reply'
  for (const userId of new Set(await readersOf(tx, reached))) {
    if (userId === authorId) continue
    await notifyUser(tx, context, { userId, text, data, requestId })
    if (side === 'staff') await planReplyMail(tx, { ticketId: ticket.id, userId, nowMs: context.clock.now() })
  }
}
