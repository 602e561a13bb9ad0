import { Notification, NOTIFICATION_KEYS } from '#contracts/http/notification.ts'
import { MAX_ITEMS } from '#contracts/primitives.ts'
import { ofLivingSession, readOfSession } from './session-read.ts'
import type { Page, SessionAnswer, SessionReader } from './session-read.ts'

type Row = { browser_seen_at: string | null; id: string | null; text: string; data: unknown } & {
  created_at: string
  read_at: string | null
}

const READ = ofLivingSession('account notifications', {
  columns: 'browser.seen_at as browser_seen_at, notice.*',
  joins: `left join control_api.push_browsers browser on browser.session_id = session.id
    left join lateral (
      select id, text, data, created_at, read_at from control_api.notifications
      where user_id = $2 and ($4::uuid is null or id < $4) and text = any ($6) order by id desc limit $5
    ) notice on true`,
  order: 'order by notice.id desc',
})

export type NotificationsRead = {
  readonly notifications: Notification[]
  /** When the browser of this session was last seen, if it has push notifications on; null otherwise. */
  readonly browserSeenAtMs: number | null
}

/** Reads the body of `GET /api/user/notifications`, newest first. Those that a later release has written are left out. */
export const readNotifications = async (
  reader: SessionReader,
  { limit = MAX_ITEMS, before }: Page,
): Promise<SessionAnswer<NotificationsRead>> => {
  const answer = await readOfSession<Row>(reader, READ, [before ?? null, limit, NOTIFICATION_KEYS])
  if (answer === null) return null
  const { rows, freshness } = answer
  const { userId } = reader.subject
  const notifications = rows.flatMap(({ id, text, data, created_at: createdAt, read_at: readAt }) =>
    id === null
      ? []
      : [
          Notification.parse({
            id,
            text,
            data,
            userId,
            createdAt: new Date(createdAt).toISOString(),
            readAt: readAt === null ? null : new Date(readAt).toISOString(),
          }),
        ],
  )
  const seenAt = rows[0].browser_seen_at
  return { body: { notifications, browserSeenAtMs: seenAt === null ? null : Date.parse(seenAt) }, freshness }
}
