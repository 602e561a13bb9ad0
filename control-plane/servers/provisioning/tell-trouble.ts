import type { Notification } from '#contracts/http/notification.ts'
import { toldSinceMs } from '#domain/notifications/told-lately.ts'
import { notifyUser } from '../../messages/notices/notify-user.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { ServerRecord } from '../store/server-store.ts'

/** The activities of nodes that the owner hears of by bell and mail. */
const NOTICES = new Map<string, Notification['text']>([
  ['server:crash-loop', 'server.crashed'],
  ['server:storage-filling', 'server.storage-filling'],
])

/** Notifies the owner of a trouble that the server's node has reported as an activity of this type. */
export async function tellTrouble(
  tx: Sql,
  deps: Pick<Context, 'ids' | 'clock'>,
  { server, type }: { server: Pick<ServerRecord, 'id' | 'name' | 'ownerId'>; type: string },
): Promise<void> {
  const text = NOTICES.get(type)
  if (text === undefined) return
  const { id: sid, name, ownerId: userId } = server
  const told = await tx.query(
    `select from control.notifications where user_id = $1 and text = $2 and data ->> 'sid' = $3 and created_at > $4 limit 1`,
    [userId, text, sid, new Date(toldSinceMs(deps.clock.now()))],
  )
  if (told.length === 0) await notifyUser(tx, deps, { userId, text, data: { sid, name }, requestId: '' })
}
