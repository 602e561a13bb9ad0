import { Notification } from '#contracts/http/notification.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readActive, readPerson } from '../cms/cms-reader.ts'
import type { Context } from '../platform/context.ts'
import { enqueueRows, outboxRow } from '../platform/outbox-writer.ts'

type NewTicket = {
  readonly ticket: { readonly id: string; readonly title: string; readonly openerId: string }
  readonly userIds: readonly string[]
  readonly requestId: string
}
type Row = { id: string; user_id: string; data: unknown; is_untold: boolean }

/**
 * Rings the bells of staff about a ticket that is new to them, in the transaction that brings it: one unread bell for each of them, which counts the tickets
 * since they last looked (decision 101). Only the first of these goes by mail and push. Nobody hears of their own ticket.
 */
export async function tellNewTicket(
  tx: Sql,
  context: Pick<Context, 'ids' | 'clock'>,
  { ticket, userIds, requestId }: NewTicket,
): Promise<void> {
  const hearing = await readActive(
    tx,
    userIds.filter((id) => id !== ticket.openerId),
  )
  if (hearing.length === 0) return
  const opener = await readPerson(tx, ticket.openerId)
  const one = { ticketId: ticket.id, title: ticket.title, ...(opener ? { person: opener.username } : {}) }
  const createdAt = new Date(context.clock.now())
  // Everybody takes the bells of several people in the same order.
  const written = await tx.query<Row>(
    `insert into control.notifications as bell (id, user_id, text, data, created_at)
     select told.id, told.user_id, 'ticket.opened', $3, $4
     from unnest($1::uuid[], $2::uuid[]) as told (id, user_id) order by told.user_id
     on conflict (user_id) where text = 'ticket.opened' and read_at is null do update
     set id = excluded.id, created_at = excluded.created_at,
       data = jsonb_build_object('count', coalesce((bell.data ->> 'count')::integer, 1) + 1, 'replaces', bell.id)
     returning id, user_id, data, told_at is null as is_untold`,
    [hearing.map(() => context.ids.next()), hearing, JSON.stringify(one), createdAt],
  )
  const rows = written.flatMap(({ id, user_id: userId, data, is_untold: isUntold }) => {
    const bell = { id, userId, text: 'ticket.opened', data, createdAt: createdAt.toISOString(), readAt: null }
    const message = { event: 'notification.new' as const, data: Notification.parse(bell) }
    const event = outboxRow(context, { topic: 'browser-event', payload: { userIds: [userId], message }, requestId })
    const task = { topic: 'notice-tell' as const, payload: { notificationId: id }, requestId }
    return isUntold ? [event, outboxRow(context, task)] : [event]
  })
  await enqueueRows(tx, context, { rows })
}
