import { Redis } from 'ioredis'
import { afterAll, beforeAll } from 'vitest'
import { openPostgresBus, openRedisBus } from '../../../control-plane/platform/event-bus.ts'
import { silentLog } from '#platform/logger.ts'
import { platformDatabase, testContext, type PlatformDatabase } from '../../factories/platform-database.ts'
import { eventBusSuite } from '../../suites/event-bus.suite.ts'
import { queueSuite } from '../../suites/queue.suite.ts'
import { startTestRedis, type TestRedis } from '../../support/redis.ts'

let database: PlatformDatabase
let redis: TestRedis
beforeAll(async () => {
  database = await platformDatabase()
  redis = await startTestRedis()
})
afterAll(async () => {
  await database.close()
  await redis.stop()
})

queueSuite('PostgreSQL', () => ({ databaseUrl: database.url, log: silentLog }))
queueSuite('Redis', () => ({ databaseUrl: database.url, redisUrl: redis.url, log: silentLog }))

eventBusSuite('PostgreSQL', () => ({
  open: () => openPostgresBus(testContext(database.db)),
  breakLinks: async () => {
    await database.owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'listen:bakter_events'`,
    )
  },
}))

eventBusSuite('Redis', () => ({
  open: () => openRedisBus(redis.url, silentLog),
  breakLinks: async () => {
    const client = new Redis(redis.url)
    await client.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
    client.disconnect()
  },
}))
