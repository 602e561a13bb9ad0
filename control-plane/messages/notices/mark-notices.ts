import type { Context } from '../../platform/context.ts'
import { enqueue } from '../../platform/outbox-writer.ts'

/**
 * Marks a user's notifications as read, from the oldest to `upTo`, and notifies their other pages. Another user's id
 * marks only the user's own older ones; a repetition does nothing and notifies nobody.
 */
export async function markNotificationsRead(
  context: Pick<Context, 'db' | 'clock' | 'ids'>,
  seen: { userId: string; upTo: string; requestId: string },
): Promise<void> {
  const { userId, upTo, requestId } = seen
  await context.db.transaction(async (tx) => {
    const marked = await tx.query<{ id: string }>(
      `update control.notifications set read_at = $3
       where user_id = $1 and id <= $2 and read_at is null returning id`,
      [userId, upTo, new Date(context.clock.now())],
    )
    if (marked.length === 0) return
    const message = { event: 'notification.read' as const, data: { upTo } }
    await enqueue(tx, context, { topic: 'browser-event', payload: { userIds: [userId], message }, requestId })
  })
}
