import { lookup } from 'node:dns/promises'
import { hostname } from 'node:os'
import type { BrowserGatewayDeps } from './api/gateway/browser-gateway.ts'
import { siteKeys } from './platform/site-keys.ts'
import { invoiceProvider } from './money/invoices/providers/catalog.ts'
import { vatOffice } from './money/tax/catalog.ts'
import type { VatOffice } from './money/tax/vat-office.ts'
import type { InvoiceProvider } from './money/invoices/invoice-provider.ts'
import { openLedger } from './money/ledger/ledger.ts'
import { postgresLedgerStore } from './money/ledger/postgres-ledger-store.ts'
import { mailInbox } from './messages/inbox/catalog.ts'
import { mailAddresses } from './messages/inbox/mail-addresses.ts'
import type { MailInbox } from './messages/inbox/mail-inbox.ts'
import { mailTransport } from './messages/mail/transports/catalog.ts'
import type { MailContext, MailSealing } from './messages/mail/mail-context.ts'
import { chooseSmtp, oneLine, senderOf } from './messages/mail/smtp-settings.ts'
import { loadConsoleKey, type ConsoleKey } from './servers/access/console-keys.ts'
import { paymentProviders } from './money/payments/providers/catalog.ts'
import { createClockGuard, databaseTimeMs, type ClockGuard } from './money/lifetime/clock-guard.ts'
import { MAIL_BOUNDS } from '#domain/tickets/mail-decision.ts'
import { steadyNow, systemClock } from '#platform/clock.ts'
import { openPostgresBus, openRedisBus, type EventBus } from './platform/event-bus.ts'
import { faultPointsOf } from '#platform/fault-point.ts'
import { createHealth, type Health } from '#platform/health.ts'
import { systemIds } from '#platform/ids.ts'
import { createLogger } from '#platform/logger.ts'
import { createMetrics, type Metrics } from './platform/metrics.ts'
import { openPostgres } from '#platform/postgres/database.ts'
import { openQueue, type TaskQueue } from './platform/queue.ts'
import { closeRedis, openRedis, unfitRedis } from './platform/redis.ts'
import { virusScanner } from '#platform/virus-scan/catalog.ts'
import { toldScans } from '#platform/virus-scan/told-scans.ts'
import type { VirusScanner } from '#platform/virus-scan/virus-scanner.ts'
import { createShutdown, type Shutdown } from '#platform/shutdown.ts'
import { httpsPushService } from './messages/push/https-push-service.ts'
import type { PushContext } from './messages/push/push-context.ts'
import { loadPushKey } from './messages/push/push-keys.ts'
import { readInvoicing, readSettings } from './cms/cms-reader.ts'
import type { PaymentContext } from './money/payments/payment-context.ts'
import type { Settings } from './env.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { isPublicAddress } from '#platform/public-address.ts'

/** The program's database role: it cannot change ledger rows. */
const APPLICATION_ROLE = 'bakter_app'

export type Dependencies = {
  readonly settings: Settings
  readonly context: PaymentContext
  readonly bus: EventBus
  readonly queue: TaskQueue
  /** Watches this process's clock; all its services share one. */
  readonly clockGuard: ClockGuard
  readonly metrics: Metrics
  readonly health: Health
  readonly shutdown: Shutdown
  readonly consoleKey: ConsoleKey
  readonly mailing: Pick<MailContext, 'mail'> & MailSealing
  /** The mailbox for replies to tickets, if there is one. */
  readonly inbox: MailInbox | undefined
  /** Looks at the files of tickets before they are kept. */
  readonly scanner: VirusScanner
  readonly invoiceProvider: InvoiceProvider
  readonly vatOffice: VatOffice
  readonly push: PushContext['push']
  readonly siteKeys: BrowserGatewayDeps['keys']
  /** Identifies this process in leases and logs. */
  readonly holder: string
}

/** Opens the shared dependencies. The only file that names adapters. */
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
  const base = { db, clock: systemClock, ids: systemIds, faults: faultPointsOf(settings.fault), log }
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
    providers: settings.paymentProviders,
  })
  const mailing = mailingOn(db, settings)
  return {
    settings,
    context: { ...base, ledgerOn, providers, maximumBalanceFt: settings.maximumBalanceFt },
    clockGuard: createClockGuard(base, { steadyMs: steadyNow, referenceMs: databaseTimeMs }),
    bus,
    queue,
    metrics,
    health,
    shutdown,
    consoleKey: await loadConsoleKey(base, settings.controlPlaneSecret),
    mailing,
    inbox: mailInbox(settings.mail.replies?.imap, { maxBytes: MAIL_BOUNDS.bytes }),
    scanner: toldScans(virusScanner(settings.clamd), { log, count: (outcome) => metrics.virusScans.inc({ outcome }) }),
    invoiceProvider: invoiceProvider({
      url: settings.szamlazzUrl,
      invoicing: () => readInvoicing(db),
      keys: settings.secretKeys,
    }),
    vatOffice: vatOffice({ url: settings.viesUrl }),
    push: {
      service: httpsPushService({ resolve: addressesOf, isAllowed: isPublicAddress, now: () => systemClock.now() }),
      key: await loadPushKey(base, settings.controlPlaneSecret),
      contact: async () => `mailto:${(await mailing.mail.sender()).address}`,
      facts: mailing.mail.facts,
    },
    siteKeys: siteKeys(settings.siteInternalUrl),
    holder: `${hostname()}:${process.pid}`,
  }
}

const addressesOf = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address)

/** Mails read the current settings each time, because staff may change them. */
function mailingOn(db: Sql, settings: Settings): Dependencies['mailing'] {
  const { siteUrl, secretKeys: keys } = settings
  const { from, folder, dkim, smtp: environment, replies } = settings.mail
  const addresses = replies && mailAddresses(replies.address, settings.controlPlaneSecret)
  return {
    mailSecret: settings.controlPlaneSecret,
    mail: {
      transport: mailTransport({
        folder,
        dkim,
        smtp: async () => chooseSmtp(await readSettings(db), { environment, keys }),
      }),
      sender: async () => senderOf(await readSettings(db), { siteUrl, from }),
      facts: async () => ({
        hostName: oneLine((await readSettings(db)).host_name),
        siteUrl,
        takesReplies: addresses !== undefined,
      }),
      addresses,
    },
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
