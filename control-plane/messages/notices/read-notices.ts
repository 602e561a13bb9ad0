import { Notification, NOTIFICATION_KEYS, type Activity } from '#contracts/http/notification.ts'
import { MAX_ITEMS } from '#contracts/primitives.ts'
import type * as z from 'zod'
import type { Sql } from '#platform/postgres/database.ts'
import { safeDetail } from './safe-detail.ts'

export type NoticePage = { userId: string; limit?: number | undefined; before?: string | undefined }

const pageValues = ({ userId, limit = MAX_ITEMS, before }: NoticePage) => [userId, before ?? null, limit]

type NotificationRow = {
  id: string
  text: string
  data: unknown
  created_at: Date
  user_id: string
  read_at: Date | null
}

/** A user's notifications, newest first. Those that a later release has written are left out. */
export async function listNotifications(sql: Sql, page: NoticePage): Promise<Notification[]> {
  const rows = await sql.query<NotificationRow>(
    `select id, text, data, created_at, user_id, read_at from control.notifications
     where user_id = $1 and ($2::uuid is null or id < $2) and text = any ($4) order by id desc limit $3`,
    [...pageValues(page), NOTIFICATION_KEYS],
  )
  return rows.map(({ created_at: createdAt, user_id: userId, read_at: readAt, ...row }) =>
    Notification.parse({
      ...row,
      userId,
      createdAt: createdAt.toISOString(),
      readAt: readAt?.toISOString() ?? null,
    }),
  )
}

/** The acts of our own timers for a customer. */
const TIMED = new Set([
  'server.auto-renewed',
  'server.expired',
  'server.expired-deleted',
  'server:subuser.end',
  'premium.ended',
])

type ActivityRow = {
  id: string
  ip_address: string
  place: string
  type: string
  status: 'success' | 'failure'
  created_at: Date
  way: Activity['way']
  server_id: string | null
  server_name: string | null
  command: string | null
}

/** A user's activity log, newest first. */
export async function listActivities(sql: Sql, page: NoticePage): Promise<z.infer<typeof Activity>[]> {
  const rows = await sql.query<ActivityRow>(
    `select a.id, a.ip_address, a.place, a.type, a.status, a.created_at, a.way, s.id as server_id, s.name as server_name,
       case when a.type = 'server:console.command' then a.detail ->> 'text'
         when a.type like 'server:subuser.%' then a.detail ->> 'text' end as command
     from control.activities a left join control.servers s on s.id = a.server_id
     where a.user_id = $1 and ($2::uuid is null or a.id < $2) order by a.id desc limit $3`,
    pageValues(page),
  )
  return rows.map((row) => ({
    id: row.id,
    ipAddress: row.ip_address,
    place: row.place,
    type: row.type,
    status: row.status,
    date: row.created_at.toISOString(),
    server: row.server_id === null ? null : { id: row.server_id, name: row.server_name ?? '' },
    way: row.way ?? (row.ip_address === '' && TIMED.has(row.type) ? 'timer' : null),
    detail: safeDetail(row.type, row.command ?? ''),
  }))
}
