import { hostname } from 'node:os'
import type { BrowserGatewayDeps } from './gateway/browser-gateway.ts'
import { siteKeys } from './platform/site-keys.ts'
import { openLedger } from './ledger/ledger.ts'
import { postgresLedgerStore } from './ledger/postgres-ledger-store.ts'
import { loadConsoleKey, type ConsoleKey } from './nodes/console-keys.ts'
import { paymentProviders } from './payments/catalog.ts'
import { systemClock } from './platform/clock.ts'
import { openPostgresBus, openRedisBus, type EventBus } from './platform/event-bus.ts'
import { faultPointsFrom } from './platform/fault-point.ts'
import { createHealth, type Health } from './platform/health.ts'
import { systemIds } from './platform/ids.ts'
import { createLogger } from './platform/logger.ts'
import { createMetrics, type Metrics } from './platform/metrics.ts'
import { openPostgres } from './platform/postgres.ts'
import { openQueue, type TaskQueue } from './platform/queue.ts'
import { closeRedis, openRedis, unfitRedis } from './platform/redis.ts'
import { createShutdown, type Shutdown } from './platform/shutdown.ts'
import type { PaymentContext } from './billing/payment-context.ts'
import type { Settings } from './env.ts'
import type { Sql } from './platform/postgres.ts'

/** The rights of the program in the database: it cannot change the ledger's rows. */
const APPLICATION_ROLE = 'bakter_app'

export type Dependencies = {
  readonly settings: Settings
  readonly context: PaymentContext
  readonly bus: EventBus
  readonly queue: TaskQueue
  readonly metrics: Metrics
  readonly health: Health
  readonly shutdown: Shutdown
  readonly consoleKey: ConsoleKey
  readonly siteKeys: BrowserGatewayDeps['keys']
  /** Names this process in leases and logs. */
  readonly holder: string
}

/** Opens everything that services share. The only file that names adapters. */
export async function openDependencies(settings: Settings): Promise<Dependencies> {
  const { databaseUrl, redisUrl } = settings
  const log = createLogger('control-plane', settings.logLevel)
  const shutdown = createShutdown(log)
  const [metrics, health] = [createMetrics({ processMetrics: true }), createHealth()]
  const onIdleError = (error: Error) => log.warn({ reason: error.message }, 'database connection')
  const db = openPostgres({
    url: databaseUrl,
    applicationName: 'control-plane',
    role: APPLICATION_ROLE,
    onIdleError,
    maxConnections: 20,
  })
  shutdown.add('database', () => db.close())
  const base = { db, clock: systemClock, ids: systemIds, faults: faultPointsFrom(settings.fault), log }
  health.add('database', async () => void (await db.query('select 1')))
  if (redisUrl) await addRedisHealth(redisUrl, { health, shutdown, log })
  const bus = redisUrl ? await openRedisBus(redisUrl, log) : await openPostgresBus(base)
  shutdown.add('event bus', () => bus.close())
  const queue = openQueue('tasks', { databaseUrl, redisUrl, log })
  shutdown.add('queue', () => queue.close())
  const ledgerOn = (sql: Sql) => openLedger(postgresLedgerStore(sql))
  const providers = paymentProviders(base, {
    mode: settings.mode,
    methods: settings.paymentMethods,
    publicUrl: settings.publicUrl,
  })
  return {
    settings,
    context: { ...base, ledgerOn, providers },
    bus,
    queue,
    metrics,
    health,
    shutdown,
    consoleKey: await loadConsoleKey(base, settings.controlPlaneSecret),
    siteKeys: siteKeys(settings.siteInternalUrl),
    holder: `${hostname()}:${process.pid}`,
  }
}

async function addRedisHealth(
  url: string,
  { health, shutdown, log }: Pick<Dependencies, 'health' | 'shutdown'> & { log: PaymentContext['log'] },
): Promise<void> {
  const redis = openRedis(url, 'health', log)
  shutdown.add('redis', () => closeRedis(redis))
  health.add('redis', async () => {
    const reason = await unfitRedis(redis)
    if (reason) throw new Error(reason)
  })
}
