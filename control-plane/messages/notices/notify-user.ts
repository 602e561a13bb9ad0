import type { ActivityWay } from '#contracts/activity-ways.ts'
import type { BalanceChangeType } from '#contracts/gateway/events.ts'
import type { Notification } from '#contracts/http/notification.ts'
import type { Money } from '#domain/billing/money.ts'
import { isMatrixKey } from '#domain/notifications/matrix.ts'
import type { Context } from '../../platform/context.ts'
import { enqueue, enqueueRows, outboxRow } from '../../platform/outbox-writer.ts'
import type { Sql } from '#platform/postgres/database.ts'

type Writer = Pick<Context, 'ids' | 'clock'>

/**
 * Writes a notification and notifies the user's open pages, both at the commit of the caller's transaction. A separate
 * task handles the other channels, so that mails and browsers can never delay money.
 */
export async function notifyUser(
  tx: Sql,
  context: Writer,
  notice: { userId: string; text: Notification['text']; data: Notification['data']; requestId: string },
): Promise<void> {
  const { userId, text, data, requestId } = notice
  const createdAt = new Date(context.clock.now())
  const id = context.ids.next()
  const hasWays = isMatrixKey(text)
  const message = {
    event: 'notification.new' as const,
    data: { id, userId, text, data, createdAt: createdAt.toISOString(), readAt: null },
  }
  const event = outboxRow(context, { topic: 'browser-event', payload: { userIds: [userId], message }, requestId })
  const task = { topic: 'notice-tell' as const, payload: { notificationId: id }, requestId }
  const rows = hasWays ? [event, outboxRow(context, task)] : [event]
  await Promise.all([
    tx.query(
      `insert into control.notifications (id, user_id, text, data, created_at, told_at) values ($1, $2, $3, $4, $5, $6)`,
      [id, userId, text, JSON.stringify(data), createdAt, hasWays ? null : createdAt],
    ),
    enqueueRows(tx, context, { rows }),
  ])
}

/**
 * Writes other words into a notification that its user has, and tells them as those of a new one: on the open pages, by mail and by push. It
 * takes a new id, by which none of them holds it for the one that was told already; a task for the old id finds nothing.
 */
export async function changeNotice(
  tx: Sql,
  context: Writer,
  notice: { id: string; userId: string; text: Notification['text']; data: Notification['data']; requestId: string },
): Promise<void> {
  const { id: replaces, userId, text, requestId } = notice
  const data = { ...notice.data, replaces }
  const createdAt = new Date(context.clock.now())
  const id = context.ids.next()
  const hasWays = isMatrixKey(text)
  const changed = await tx.query(
    `update control.notifications set id = $2, data = $3, created_at = $4, told_at = $5, read_at = null where id = $1
     returning id`,
    [replaces, id, JSON.stringify(data), createdAt, hasWays ? null : createdAt],
  )
  if (changed.length === 0) return
  const message = {
    event: 'notification.new' as const,
    data: { id, userId, text, data, createdAt: createdAt.toISOString(), readAt: null },
  }
  const event = outboxRow(context, { topic: 'browser-event', payload: { userIds: [userId], message }, requestId })
  const task = { topic: 'notice-tell' as const, payload: { notificationId: id }, requestId }
  await enqueueRows(tx, context, { rows: hasWays ? [event, outboxRow(context, task)] : [event] })
}

/**
 * Notifies the user's open pages of a new balance. `change` is positive; `balance` is the spendable amount afterwards.
 */
export async function announceBalance(
  tx: Sql,
  context: Writer,
  moved: { userId: string; type: BalanceChangeType; change: Money; balance: Money; requestId: string },
): Promise<void> {
  const data = { type: moved.type, change: Number(moved.change.minor), balance: Number(moved.balance.minor) }
  const message = { event: 'balance.change' as const, data }
  const payload = { userIds: [moved.userId], message }
  await enqueue(tx, context, { topic: 'browser-event', payload, requestId: moved.requestId })
}

/**
 * The actor of a line: its user, the server by itself, our systems, or staff, whose own line stands beside the
 * customer's.
 */
export type DoneBy = 'user' | 'server' | 'system' | 'staff'

/** Writes a line of the user's activity log, and of the server's. */
export async function recordActivity(
  tx: Sql,
  { ids, clock }: Writer,
  activity: {
    userId: string
    serverId?: string
    address?: string
    type: string
    status: 'success' | 'failure'
    detail?: object
    /** How the person acted; nothing for what the host did by itself. */
    way?: ActivityWay | undefined
    doneBy?: DoneBy
  },
): Promise<void> {
  await tx.query(
    `insert into control.activities (id, user_id, server_id, ip_address, type, status, detail, created_at, way, done_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      ids.next(),
      activity.userId,
      activity.serverId ?? null,
      activity.address ?? '',
      activity.type,
      activity.status,
      JSON.stringify(activity.detail ?? {}),
      new Date(clock.now()),
      activity.way ?? null,
      activity.doneBy ?? 'user',
    ],
  )
}
