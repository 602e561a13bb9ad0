import type { OutboxPayload } from '../../platform/outbox-topics.ts'
import { TEST_SERVER_MS } from '#domain/billing/lifetime.ts'
import { notifyUser } from '../../messages/notices/notify-user.ts'
import { enqueue } from '../../platform/outbox-writer.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import { HOLD_MS } from './order-context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readPerson } from '../../cms/cms-reader.ts'
import { readRenewable } from '../paid-time/lock-renewable.ts'
import { requestDeletion } from '../../servers/store/server-store.ts'

/** Test servers whose installation has not ended within `HOLD_MS`. */
export async function findUnsettledTests(sql: Sql, nowMs: number, limit: number): Promise<string[]> {
  const rows = await sql.query<{ server_id: string }>(
    `select t.server_id from control.test_servers t join control.servers s on s.id = t.server_id
     where t.settled_at is null and t.granted_at <= $1 and s.desired = 'installed' and s.deleted_at is null
     order by t.granted_at, t.server_id limit $2`,
    [new Date(nowMs - HOLD_MS), limit],
  )
  return rows.map((row) => row.server_id)
}

/**
 * Ends the installation of a test server: its day begins now, or the server is removed and the customer may get
 * another. The first outcome is final; any other server is left alone.
 */
export async function settleTestServer(
  tx: Sql,
  context: MoneyContext,
  { serverId, outcome }: OutboxPayload<'order-settle'>,
): Promise<void> {
  const [test] = await tx.query<{ user_id: string }>(
    'select user_id from control.test_servers where server_id = $1 and settled_at is null for update',
    [serverId],
  )
  const server = test && (await readRenewable(tx, serverId))
  if (!test || !server) return
  const requestId = `test:${serverId}`
  const nowMs = context.clock.now()
  if (outcome === 'failed') {
    await requestDeletion(tx, serverId)
    await tx.query('delete from control.test_servers where server_id = $1', [serverId])
    await enqueue(tx, context, { topic: 'provision-server', payload: { serverId }, requestId })
    return
  }
  await tx.query('update control.test_servers set settled_at = $2 where server_id = $1', [serverId, new Date(nowMs)])
  // A previous release let it expire, and stopped it, before its day had begun.
  await tx.query(
    `update control.servers set expires_at = $2, stopped_by_expiry = false,
       desired_power = case when stopped_by_expiry then 'running' else desired_power end where id = $1`,
    [serverId, new Date(nowMs + TEST_SERVER_MS)],
  )
  const locale = (await readPerson(tx, test.user_id))?.language ?? 'en'
  const data = { sid: serverId, name: server.name, product: server.product[locale] }
  await notifyUser(tx, context, { userId: test.user_id, text: 'server.installed', data, requestId })
}
