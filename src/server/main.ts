import { readFileSync } from 'node:fs'
import { Server } from 'node:http'
import { performance } from 'node:perf_hooks'
import next from 'next'
import { trustFrom } from '#platform/client-address.ts'
import { createHealth } from '#platform/health.ts'
import { closeServer, listen } from '#platform/listen.ts'
import { createLogger, type Logger } from '#platform/logger.ts'
import { createShutdown, endWithProcess, SHUTDOWN_LIMIT_MS } from '#platform/shutdown.ts'
import { createApi } from '../api/app/app.ts'
import { identity } from '../identity/dependencies.ts'
import { startMailRelay } from '../identity/accounts/mail-relay.ts'
import { startSessionEnds } from '../identity/sessions/session-ends.ts'
import { readPublicKeys } from '../identity/context/signing-keys.ts'
import { ApiError } from '../lib/site/api-error.ts'
import { controlPlaneAt } from '../lib/site/control-plane-client.ts'
import { parseSettings, SettingsInvalid, siteSettings } from '../lib/site/env.ts'
import type { SiteSettings } from '../lib/site/env.ts'
import { openApiDoor } from './api-door.ts'
import { startDemoDiscord } from './demo-discord.ts'
import { createDemoMails } from './demo-mails.ts'
import { startChores } from './chores.ts'
import { followContentChanges } from './content-changes.ts'
import { markOf } from './answer-headers.ts'
import { EVERY_PAGE, forgetKeptPages, forgetPagesBy } from './forget-pages.ts'
import { createMetrics } from './metrics.ts'
import type { Metrics } from './metrics.ts'
import { watchNodeOrigins } from './node-origins.ts'
import { createPageMemory } from './page-memory.ts'
import type { PageMemory } from './page-memory.ts'
import { readPrerenderedPages } from './prerendered-pages.ts'
import { internalCalls } from './internal-calls.ts'
import { createPrivateListener } from './private-listener.ts'
import { createSiteListener } from './site-listener.ts'
import { staffBySession } from './staff-door.ts'

/**
 * Makes Next use the configuration written by its build, as in a standalone build: images contain no next.config.ts,
 * and Next would silently use defaults.
 */
const readBuiltConfiguration = (): void => {
  const text = readFileSync('.next/required-server-files.json', 'utf8')
  const { config } = JSON.parse(text) as { config: unknown }
  process.env['__NEXT_PRIVATE_STANDALONE_CONFIG'] = JSON.stringify(config)
}

const prepareNext = (settings: SiteSettings, isDevelopment: boolean) => {
  // Next attaches its own upgrade handler to its server, and would end our sockets: it gets one that never listens, and
  // in development receives the upgrades that we forward.
  const decoy = new Server()
  const app = next({
    dev: isDevelopment,
    dir: process.cwd(),
    hostname: settings.host,
    port: settings.port,
    httpServer: decoy,
  })
  return { app, decoy }
}

// The error may contain a mail, whose code must not be logged.
const nameOf = (error: unknown): string =>
  error instanceof ApiError ? error.code : error instanceof Error ? error.name : 'unknown'

const createSiteHealth = (isPrepared: () => boolean) => {
  const health = createHealth()
  health.add('pages', () => {
    if (!isPrepared()) throw new Error('being prepared')
  })
  health.add('database', async () => void (await identity().db.query('select 1 from identity.sessions limit 1')))
  return health
}

/** Sends mails and ends of sessions from the site's outboxes to the control plane. */
const startRelays = (controlPlane: ReturnType<typeof controlPlaneAt>, log: Logger) => {
  const mails = startMailRelay({
    context: identity(),
    handOver: async (order, requestId) => void (await controlPlane.call('send-mail', { order }, { requestId })),
    onFailure: (error, requestId) => log.warn({ requestId, reason: nameOf(error) }, 'a mail waits'),
  })
  const ends = startSessionEnds({
    context: identity(),
    announce: async (ended) =>
      void (await controlPlane.call('session-ended', ended, { requestId: 'session-ended', timeoutMs: 1_000 })),
    onFailure: (error) => log.warn({ reason: nameOf(error) }, 'the end of a session waits to be told'),
  })
  return { close: () => Promise.all([mails.close(), ends.close()]) }
}

const metricsText = async ({ registry, keptPages, keptBytes }: Metrics, memory: PageMemory) => {
  keptPages.set(memory.count())
  keptBytes.set(memory.bytes())
  return { type: registry.contentType, text: await registry.metrics() }
}

const run = async (settings: SiteSettings, log: Logger): Promise<() => Promise<void>> => {
  const isDevelopment = !settings.isBuilt
  if (settings.isBuilt) readBuiltConfiguration()
  const metrics = createMetrics()
  const controlPlane = controlPlaneAt({ url: settings.controlPlaneUrl, secret: settings.internalSecret })
  const nodeOrigins = watchNodeOrigins(controlPlane, () => log.warn({}, 'the control plane does not answer'))
  const { app, decoy } = prepareNext(settings, isDevelopment)
  const headerSettings = {
    isSecure: settings.isSecure,
    stripeScriptUrl: settings.stripeScriptUrl,
    nodeOrigins,
  }
  const nowMs = () => performance.now()
  const memory = createPageMemory({ nowMs, mark: () => markOf(headerSettings) })
  let isPrepared = false
  const health = createSiteHealth(() => isPrepared)
  const { server, endSockets } = createSiteListener({
    ...headerSettings,
    isDevelopment,
    log,
    metrics,
    nowMs,
    siteUrl: settings.siteUrl,
    gatewayUrl: settings.gatewayUrl,
    applePayDomain: settings.applePayDomain,
    trust: trustFrom(settings.trustedProxies),
    api: openApiDoor(createApi()),
    isStaff: staffBySession(settings.isSecure),
    next: (request, response) => app.getRequestHandler()(request, response),
    ...(settings.isBuilt ? { keptPages: { memory, prerendered: readPrerenderedPages() } } : {}),
    ...(settings.mailFolder === undefined ? {} : { mails: createDemoMails(settings.mailFolder) }),
    ...(isDevelopment ? { nextUpgrade: (...socket) => void decoy.emit('upgrade', ...socket) } : {}),
  })
  const inner = createPrivateListener({
    missing: async () => (await health.readiness()).missing.map(({ name }) => name),
    degraded: () => (nodeOrigins.isDown() ? ['control plane'] : []),
    keys: async () => {
      // A key exists from the start, so that the control plane need not wait for the first sign-in.
      await identity().keys.signing()
      return readPublicKeys(identity().db, identity().clock)
    },
    metrics: () => metricsText(metrics, memory),
    internal: internalCalls({ secret: settings.internalSecret, identity }),
    revalidate: async (request, response) => {
      request.url = '/api/internal/revalidate'
      await app.getRequestHandler()(request, response)
    },
  })
  await listen(inner, { port: settings.healthPort, host: settings.internalHost })
  await app.prepare()
  const forget = forgetKeptPages(memory, forgetPagesBy(inner, settings.internalSecret))
  // A build knows neither the site's address nor its content, and the cache of an earlier run may come from another
  // database.
  if (settings.isBuilt) await forget([EVERY_PAGE])
  const onFailure = (error: unknown) => log.error({ err: error }, 'pages could not be forgotten')
  // In development there is one process, and each page is rendered on request.
  const stopFollowing = settings.isBuilt ? followContentChanges({ db: identity().db, forget, onFailure }) : undefined
  isPrepared = true
  await listen(server, { port: settings.port, host: settings.host })
  const relays = startRelays(controlPlane, log)
  const stopChores = startChores({ controlPlane, log })
  log.info({ port: settings.port, healthPort: settings.healthPort, url: settings.siteUrl }, 'site is listening')
  return async () => {
    health.drain()
    nodeOrigins.stop()
    await Promise.all([relays.close(), stopChores()])
    endSockets()
    await closeServer(server)
    await stopFollowing?.()
    await Promise.allSettled([app.close(), identity().db.close()])
    inner.closeAllConnections()
    inner.close()
  }
}

/** `npm start` brings a Discord of its own, unless another is named. The settings are parsed once, after this. */
const bringDiscord = async (): Promise<() => void> => {
  const { mailFolder, siteUrl } = parseSettings(process.env)
  if (mailFolder === undefined || process.env['DISCORD_URL'] !== undefined) return () => {}
  const { url, close } = await startDemoDiscord(siteUrl)
  process.env['DISCORD_URL'] = url
  return close
}

const start = async (): Promise<void> => {
  const closeDiscord = await bringDiscord()
  const settings = siteSettings()
  const log = createLogger('site', settings.logLevel, { isBuffered: true })
  const shutdown = createShutdown(log)
  endWithProcess(shutdown, { log, supervised: settings.isSupervised, limitMs: SHUTDOWN_LIMIT_MS })
  shutdown.add('discord of the demo', () => Promise.resolve(closeDiscord()))
  shutdown.add('site', await run(settings, log))
}

try {
  await start()
} catch (error) {
  // One sentence for a missing setting; the full error for anything else.
  process.stderr.write(
    `${error instanceof SettingsInvalid ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
  )
  process.exit(1)
}
