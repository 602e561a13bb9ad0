import type { Context } from '../../platform/context.ts'
import { enqueue } from '../../platform/outbox-writer.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readersOf } from '../store/server-store.ts'

/**
 * Lets the open pages of everybody concerned read again: what they show and offer depends on the people of the server.
 * It leaves at the commit.
 */
export async function announcePeople(
  tx: Sql,
  context: Pick<Context, 'ids' | 'clock'>,
  { serverId, others, requestId }: { serverId: string; others: readonly string[]; requestId: string },
): Promise<void> {
  const userIds = [...new Set([...(await readersOf(tx, serverId)), ...others])]
  const message = { event: 'resync' as const, data: {} }
  await enqueue(tx, context, { topic: 'browser-event', payload: { userIds, message }, requestId })
}
