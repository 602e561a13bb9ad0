import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS } from '#domain/billing/period.ts'
import { startWorkers } from '../../../control-plane/platform/jobs/workers.ts'
import { runLifetime } from '../../../control-plane/money/lifetime/run-lifetime.ts'
import { systemClock } from '#platform/clock.ts'
import { createMetrics } from '../../../control-plane/platform/metrics.ts'
import { migrateQueueSchema } from '../../../control-plane/platform/queue-schema.ts'
import { openQueue } from '../../../control-plane/platform/queue.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { IDLE_PROCESSORS } from '../../factories/idle-processors.ts'
import { lifetimeContext } from '../../factories/lifetime.ts'
import { paidServer } from '../../factories/paid-server.ts'
import { silentLog } from '#platform/logger.ts'
import { balanceOf, openShop, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { startTestRedis, type TestRedis } from '../../support/redis.ts'
import { waitFor } from '../../support/wait-for.ts'

let database: ControlDatabase
let shop: Shop
let redis: TestRedis
beforeAll(async () => {
  database = await shopDatabase(40)
  await migrateQueueSchema(database.url)
  shop = await openShop(database.owner, { portCount: 1000, memoryMiB: 1_000_000, nowMs: Date.now() })
  redis = await startTestRedis()
})
afterAll(async () => {
  await database.close()
  await redis.stop()
})

describe.each([
  ['PostgreSQL', () => ({})],
  ['Redis', () => ({ redisUrl: redis.url })],
])('T30: the job of two programs with the queue on %s', (_backend, options) => {
  it('case 72: each of ten servers is renewed once, however many runs there are', async () => {
    const userId = await userWith(database.db, 10n * 1980n)
    const startMs = Date.now() - 29 * DAY_MS - 3_600_000
    await database.owner.query('update control.agent_sessions set renewed_at = $1', [new Date(startMs)])
    const servers: string[] = []
    for (let count = 0; count < 10; count += 1) {
      servers.push((await paidServer(database.db, { shop, userId, nowMs: startMs })).serverId)
    }
    await database.owner.query('update control.servers set auto_renew = true where id = any ($1)', [servers])
    let runs = 0
    const queues = [1, 2].map(() => openQueue('lifetime', { databaseUrl: database.url, ...options(), log: silentLog }))
    for (const queue of queues) {
      const processors = {
        ...IDLE_PROCESSORS,
        'server-lifetime': async () => {
          await runLifetime(lifetimeContext(database.db, { now: () => systemClock.now() }))
          runs += 1
        },
      }
      await startWorkers({ log: silentLog, clock: systemClock, metrics: createMetrics(), queue, processors })
      await queue.every('server-lifetime', 200, { requestId: 'schedule', payload: {} })
    }
    await waitFor('several runs', () => runs >= 6, 120_000)
    await Promise.all(queues.map((queue) => queue.close()))
    const renewed = await database.owner.query('select 1 from control.renewals where server_id = any ($1)', [servers])
    expect(renewed).toHaveLength(10)
    expect(await balanceOf(database.db, userId)).toMatchObject({ money: 0n })
  })
})
