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
 * Takes the bells about new tickets of several people, unread ones and those that nobody has written yet. Everybody takes them in the order of the
 * people, so that nobody waits for somebody who waits for them.
 */
export async function lockNewTicketBells(tx: Sql, userIds: readonly string[]): Promise<void> {
  const people = [...new Set(userIds)].toSorted()
  await tx.query(
    'select pg_advisory_xact_lock(hashtextextended(u.id, 75)) from unnest($1::text[]) with ordinality u (id, place) order by u.place',
    [people],
  )
  // The sender takes the rows alone.
  await tx.query(
    `select 1 from control.notifications where user_id = any ($1) and text = 'ticket.opened' and read_at is null
     order by user_id, id for update`,
    [people],
  )
}

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
  // Ids and times are made behind the locks: the bell that is written later stands before, and stays unread for whoever read up to the other one.
  await lockNewTicketBells(tx, hearing)
  const createdAt = new Date(context.clock.now())
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
