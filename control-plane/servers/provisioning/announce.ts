import { statusOf, type ServerWord } from '#domain/servers/status.ts'
import type { ServerState } from '#domain/servers/server-lifecycle.ts'
import type { Context } from '../../platform/context.ts'
import { enqueue } from '../../platform/outbox-writer.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readersOf } from '../store/server-store.ts'

export type StatusFacts = { readonly state: ServerState; readonly suspended: boolean; readonly nodeReachable: boolean }

export const wordOf = (facts: StatusFacts): ServerWord => statusOf(facts).word

/**
 * Notifies everybody who sees the server of its status, in the transaction that changed it. An unchanged status is not
 * sent.
 */
export async function announceStatus(
  tx: Sql,
  deps: Pick<Context, 'ids' | 'clock'>,
  change: { serverId: string; before: StatusFacts | undefined; after: StatusFacts; requestId: string },
): Promise<void> {
  const state = wordOf(change.after)
  if (change.before && wordOf(change.before) === state) return
  const userIds = await readersOf(tx, change.serverId)
  if (userIds.length === 0) return
  await enqueue(tx, deps, {
    topic: 'browser-event',
    payload: { userIds, message: { event: 'server.state.change', data: { sid: change.serverId, state } } },
    requestId: change.requestId,
  })
}
