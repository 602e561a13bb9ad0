import type { Notification } from '#contracts/http/notification.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readPerson, readTicketStaff } from '../cms/cms-reader.ts'
import { notifyUser } from '../messages/notices/notify-user.ts'
import type { Context } from '../platform/context.ts'

type Lost = {
  /** The assignee until now; null for nobody. */
  readonly assigneeId: string | null
  /** The person who took it from them. */
  readonly byId: string
  readonly text: Extract<Notification['text'], 'ticket.taken' | 'ticket.moved' | 'ticket.merged-away'>
  /** The ticket to which the bell leads, and the category by which it is seen now. */
  readonly ticket: { readonly id: string; readonly title: string; readonly categoryId: string }
  /** The title of the ticket that was merged into it. */
  readonly merged?: string
  readonly requestId: string
}

/**
 * Rings the bell of an assignee who lost a ticket, in the transaction that takes it from them: once, with who did it. Nobody hears of their own act.
 * The bell leads to the ticket only where they still work on it, and ends with it in any case.
 */
export async function tellFormerAssignee(tx: Sql, context: Pick<Context, 'ids' | 'clock'>, lost: Lost): Promise<void> {
  const { assigneeId, byId, text, ticket, merged, requestId } = lost
  if (assigneeId === null || assigneeId === byId) return
  const [who, staff] = [await readPerson(tx, byId), await readTicketStaff(tx, ticket.categoryId)]
  const data = {
    title: ticket.title,
    ...(staff.includes(assigneeId) ? { ticketId: ticket.id } : { aboutTicketId: ticket.id }),
    ...(who ? { person: who.username } : {}),
    ...(merged === undefined ? {} : { merged }),
  }
  await notifyUser(tx, context, { userId: assigneeId, text, data, requestId })
}
