import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { grantTestServer } from '../../../control-plane/money/lifetime/grant-test-server.ts'
import { createDelivery } from '../../../control-plane/platform/jobs/queues.ts'
import { expireHolds, settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { settleDelivered } from '../../../control-plane/money/orders/settle-delivered.ts'
import { HOLD_MS } from '../../../control-plane/money/orders/order-context.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { openPostgresBus } from '../../../control-plane/platform/event-bus.ts'
import { systemIds } from '#platform/ids.ts'
import { createMetrics } from '../../../control-plane/platform/metrics.ts'
import { drainOutbox } from '../../../control-plane/platform/outbox-relay.ts'
import { openQueue } from '../../../control-plane/platform/queue.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { silentLog } from '#platform/logger.ts'
import { balanceOf, callerOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { startTestRedis, type TestRedis } from '../../support/redis.ts'

const START_MS = Date.UTC(2026, 5, 1)
const MINUTE_MS = 60_000

let database: ControlDatabase
let shop: Shop
let redis: TestRedis
beforeAll(async () => {
  database = await shopDatabase(20)
  shop = await openShop(database.owner, { portCount: 1000, memoryMiB: 1_000_000 })
  redis = await startTestRedis()
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
  await database.owner.query('delete from control.outbox')
})
afterAll(async () => {
  await redis.stop()
  await database.close()
})

const at = (nowMs: number) => orderContext(database.db, { now: () => nowMs })
const command = (userId: string) => ({
  caller: callerOf(userId),
  requestId: 'r',
  idempotencyKey: systemIds.next(),
  request: { serviceId: shop.serviceId, packageId: shop.packageId, months: 1, name: 'S' },
})
async function placed(userId: string): Promise<string> {
  const result = await placeOrder(at(START_MS), command(userId))
  if (!result.ok) throw new Error(result.code)
  return result.answer.serverId
}
/** The node's answer to the command of an installation. */
const installed = (serverId: string, state: 'finished' | 'failed' | 'accepted', code = '') =>
  database.owner.query(
    `insert into control.commands (id, node_id, server_id, generation, kind, body, request_id, state, result_code, created_at, finished_at)
     values ($1, $2, $3, 1, 'install', '{}', 'r', $4::text, $5, $6, case when $4::text = 'accepted' then null else $6::timestamptz end)`,
    [systemIds.next(), shop.nodeId, serverId, state, code, new Date(START_MS)],
  )
const orderOf = async (userId: string) =>
  (
    await database.owner.query<{ state: string; desired: string; failure_reason: string | null }>(
      `select o.state, s.desired, o.failure_reason from control.orders o join control.servers s on s.id = o.server_id
       where o.user_id = $1`,
      [userId],
    )
  )[0]

describe('case 78: the task that ends an order is lost with its queue', () => {
  it('case 78: a delivered order is charged once within two minutes, and stays', async () => {
    const userId = await userWith(database.db, 990n)
    const serverId = await placed(userId)
    await installed(serverId, 'finished')
    // The queue has its minute.
    await settleDelivered(at(START_MS + MINUTE_MS - 1))
    expect(await orderOf(userId)).toMatchObject({ state: 'provisioning' })
    await Promise.all([settleDelivered(at(START_MS + MINUTE_MS)), settleDelivered(at(START_MS + MINUTE_MS))])
    expect(await orderOf(userId)).toMatchObject({ state: 'completed', desired: 'installed' })
    expect(await balanceOf(database.db, userId)).toEqual({ money: 0n, held: 0n, available: 0n })
    // The task comes after all, and the hold's time is over.
    await settleOrder(at(START_MS + 2 * MINUTE_MS), { serverId, outcome: 'failed', reason: 'late' })
    expect(await settleDelivered(at(START_MS + HOLD_MS))).toBe(0)
    await expireHolds(at(START_MS + HOLD_MS))
    expect(await orderOf(userId)).toMatchObject({ state: 'completed', desired: 'installed' })
    expect(await database.owner.query('select 1 from control.invoices where user_id = $1', [userId])).toHaveLength(1)
  })

  it('case 78: an order that could not be installed is refunded within two minutes', async () => {
    const userId = await userWith(database.db, 990n)
    await installed(await placed(userId), 'failed', 'install-exit-1')
    await settleDelivered(at(START_MS + MINUTE_MS))
    expect(await orderOf(userId)).toEqual({ state: 'failed', desired: 'deleted', failure_reason: 'install-exit-1' })
    expect(await balanceOf(database.db, userId)).toEqual({ money: 990n, held: 0n, available: 990n })
  })

  it('case 78: a running installation is waited for', async () => {
    const userId = await userWith(database.db, 990n)
    await installed(await placed(userId), 'accepted')
    expect(await settleDelivered(at(START_MS + HOLD_MS - 1))).toBe(0)
    expect(await orderOf(userId)).toMatchObject({ state: 'provisioning' })
  })

  it('case 78: a test server begins its day as well, unless it is being deleted', async () => {
    const userId = await userWith(database.db, 0n)
    await database.owner.query(
      `insert into cms_api.people (id, username, identifier, email, language, verified, invoice_type, is_admin, is_support)
       values ($1, 'u', 'acdefghj', 'u@example.test', 'hu', true, 'electronic', false, false)`,
      [userId],
    )
    const granted = await grantTestServer(at(START_MS), {
      caller: callerOf(userId),
      wanted: { userId, serviceId: shop.serviceId, packageId: shop.packageId, name: 'Try' },
      requestId: 't',
    })
    if (!granted.ok) throw new Error(granted.code)
    await installed(granted.serverId, 'finished')
    await database.owner.query(`update control.servers set desired = 'deleted' where id = $1`, [granted.serverId])
    expect(await settleDelivered(at(START_MS + MINUTE_MS))).toBe(0)
    await database.owner.query(`update control.servers set desired = 'installed' where id = $1`, [granted.serverId])
    expect(await settleDelivered(at(START_MS + MINUTE_MS))).toBe(1)
    expect(await settleDelivered(at(START_MS + MINUTE_MS))).toBe(0)
  })
})

describe('a Redis queue that is out of memory or loses everything', () => {
  it('the tasks of an order wait in the outbox while the queue is full, and are delivered when there is space', async () => {
    const { Redis } = await import('ioredis')
    const client = new Redis(redis.url)
    const queue = openQueue('full', { databaseUrl: database.url, redisUrl: redis.url, log: silentLog })
    const bus = await openPostgresBus({ ...at(START_MS), log: silentLog })
    const deliver = createDelivery({ queue, bus })
    const drain = (nowMs: number) => drainOutbox({ ...at(nowMs), log: silentLog, metrics: createMetrics(), deliver })
    const waiting = async () =>
      (await database.owner.query(`select 1 from control.outbox where topic = 'provision-server'`)).length
    try {
      await client.config('SET', 'maxmemory', '1')
      const userId = await userWith(database.db, 990n)
      await placed(userId)
      await drain(START_MS + 1000)
      expect(await waiting()).toBe(1)
      expect(await orderOf(userId)).toMatchObject({ state: 'provisioning' })
      await client.config('SET', 'maxmemory', '0')
      await drain(START_MS + MINUTE_MS)
      expect(await waiting()).toBe(0)
      expect(await queue.counts()).toMatchObject({ waiting: 1 })
      // Everything is gone; the order ends all the same by what the node said.
      await client.flushall()
      const [order] = await database.owner.query<{ server_id: string }>(
        'select server_id from control.orders where user_id = $1',
        [userId],
      )
      await installed(order?.server_id ?? '', 'finished')
      await settleDelivered(at(START_MS + 2 * MINUTE_MS))
      expect(await orderOf(userId)).toMatchObject({ state: 'completed' })
    } finally {
      await client.config('SET', 'maxmemory', '0')
      client.disconnect()
      await bus.close()
      await queue.close()
    }
  })
})
