import type { BalanceChangeType } from '#contracts/gateway/events.ts'
import type { Activity, Notification } from '#contracts/http/notification.ts'
import type { Money } from '#domain/billing/money.ts'
import { isMatrixKey } from '#domain/notifications/matrix.ts'
import type { Context } from '../../platform/context.ts'
import { outboxRow, type OutboxRow } from '../../platform/outbox-writer.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { DoneBy } from './notify-user.ts'

type Writer = Pick<Context, 'ids' | 'clock'>
type Notice = Pick<Notification, 'text' | 'data'>

/** Everything that tells a customer about one event. */
export type News = {
  readonly userId: string
  readonly serverId?: string | undefined
  readonly address?: string | undefined
  readonly requestId: string
  readonly activity: { readonly type: string; readonly status: 'success' | 'failure'; readonly detail: object }
  readonly way?: Activity['way'] | undefined
  readonly doneBy: DoneBy
  /** `change` is positive; `balance` is the spendable amount afterwards. */
  readonly balance?: { readonly type: BalanceChangeType; readonly change: Money; readonly balance: Money } | undefined
  readonly notices: readonly Notice[]
}

/**
 * Writes the line of the activity log, the notifications, and the news for open pages, in one statement. A separate
 * task handles the channels besides the bell, so that mails and browsers can never delay money.
 */
export async function tellAtOnce(tx: Sql, context: Writer, news: News): Promise<void> {
  const { userId, serverId, address, requestId, activity } = news
  const at = new Date(context.clock.now())
  const notices = news.notices.map(({ text, data }) => ({
    id: context.ids.next(),
    text,
    data,
    has_ways: isMatrixKey(text),
  }))
  const messages = [
    ...balanceMessages(context, news),
    ...notices.flatMap(({ id, text, data, has_ways: hasWays }) => {
      const seen = { id, userId, text, data, createdAt: at.toISOString(), readAt: null }
      const message = { event: 'notification.new' as const, data: seen }
      return [
        outboxRow(context, { topic: 'browser-event', payload: { userIds: [userId], message }, requestId }),
        ...(hasWays ? [outboxRow(context, { topic: 'notice-tell', payload: { notificationId: id }, requestId })] : []),
      ]
    }),
  ]
  await tx.query(
    `with activity as (
       insert into control.activities (id, user_id, server_id, ip_address, type, status, detail, created_at, way, done_by)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $11, $12)
     ), notices as (
       insert into control.notifications (id, user_id, text, data, created_at, told_at)
       select n.id, $2, n.text, n.data, $8, case when n.has_ways then null else $8::timestamptz end
       from jsonb_to_recordset($9::jsonb) as n (id uuid, text text, data jsonb, has_ways boolean)
     ), messages as (
       insert into control.outbox (id, topic, payload, request_id, available_at, created_at)
       select m.id, m.topic, m.payload, m.request_id, $8, $8
       from jsonb_to_recordset($10::jsonb) as m (id uuid, topic text, payload jsonb, request_id text) returning id)
     select pg_notify('bakter_outbox', '') from messages limit 1`,
    [
      context.ids.next(),
      userId,
      serverId ?? null,
      address ?? '',
      activity.type,
      activity.status,
      JSON.stringify(activity.detail),
      at,
      JSON.stringify(notices),
      JSON.stringify(messages),
      news.way ?? null,
      news.doneBy,
    ],
  )
}

function balanceMessages(context: Writer, { userId, requestId, balance: moved }: News): OutboxRow[] {
  if (moved === undefined) return []
  const data = { type: moved.type, change: Number(moved.change.minor), balance: Number(moved.balance.minor) }
  const message = { event: 'balance.change' as const, data }
  return [outboxRow(context, { topic: 'browser-event', payload: { userIds: [userId], message }, requestId })]
}
