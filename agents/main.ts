import { acmeCertificate } from './acme/catalog.ts'
import { Agent } from './agent.ts'
import { readEnv, type AgentEnv } from './env.ts'
import { RegistryCache } from './npm/registry-cache.ts'
import { httpUpstream } from './npm/upstream.ts'
import { readBootId } from './platform/boot-id.ts'
import { findBundles, npmCommand } from './platform/bundles.ts'
import { systemClock } from '#platform/clock.ts'
import { lockDataFolder } from './platform/data-lock.ts'
import { realDisk } from './platform/disk.ts'
import { faultPointsOf } from '#platform/fault-point.ts'
import { systemRandom, systemIds } from '#platform/ids.ts'
import { createLogger, type Log } from '#platform/logger.ts'
import { createShutdown, endWithProcess } from '#platform/shutdown.ts'
import { systemTimers } from './platform/timers.ts'
import { openQuotas } from './quota/catalog.ts'
import { openRuntime } from './runtime/catalog.ts'

const VERSION = '0.1.0'

/** Undefined without a configured registry: npm's own settings then apply. */
const openNpmCache = async (env: AgentEnv, log: Log): Promise<RegistryCache | undefined> => {
  if (env.npmRegistry === undefined) return undefined
  const cache = new RegistryCache({
    folder: `${env.dataFolder}/npm`,
    registry: env.npmRegistry.replace(/\/+$/, ''),
    upstream: httpUpstream(env.caBundle),
    clock: systemClock,
    disk: realDisk,
    log,
  })
  await cache.open('127.0.0.1', [env.port, env.healthPort, env.sftpPort])
  return cache
}

const main = async (): Promise<void> => {
  const env = readEnv(process.env)
  const log = createLogger('agent', env.logLevel)
  // The agent's explicit folder modes must not be masked.
  process.umask(0o022)
  realDisk.makeFolder(env.dataFolder, 0o711)
  lockDataFolder(env.dataFolder)
  const bundles = await findBundles(env.dataFolder)
  const faults = faultPointsOf(env.fault)
  const npm = await openNpmCache(env, log)
  const driver = await openRuntime(
    {
      name: env.runtime,
      isProduction: env.isProduction,
      isSingleTenant: env.isSingleTenant,
      isSupervised: env.isSupervised,
      dataFolder: env.dataFolder,
      uidBase: env.uidBase,
      shimCommand: [process.execPath, '--max-semi-space-size=1', '--max-old-space-size=64', bundles.shim],
      programFiles: [bundles.fileWorker, bundles.unpacker, ...bundles.programs.values()],
      docker: {
        ...env,
        caBundle: env.caBundle ?? null,
        cache: npm ?? null,
        programText: (name) => {
          const file = bundles.programs.get(name)
          return file === undefined ? undefined : realDisk.read(file)
        },
      },
    },
    { clock: systemClock, timers: systemTimers, random: systemRandom, ids: systemIds, disk: realDisk, log, faults },
  )
  const quotas = await openQuotas(
    { name: env.quota, dataFolder: env.dataFolder, inContainers: driver.name === 'docker' },
    { clock: systemClock, timers: systemTimers },
  )
  const acme =
    env.acme === undefined
      ? undefined
      : acmeCertificate(env.acme, env, {
          clock: systemClock,
          timers: systemTimers,
          random: systemRandom,
          disk: realDisk,
          log,
          faults,
        })
  const agent = new Agent({
    settings: { ...env, version: VERSION },
    clock: systemClock,
    timers: systemTimers,
    ids: systemIds,
    random: systemRandom,
    disk: realDisk,
    log,
    faults,
    driver,
    quotas,
    npm,
    acme,
    bundles,
    npmCommand: npmCommand(),
    bootId: readBootId(),
  })
  const shutdown = createShutdown(log)
  shutdown.add('agent', () => agent.stop())
  // Servers that stop with the agent take as long as their own stop chains allow.
  endWithProcess(shutdown, { log, supervised: env.isSupervised, hurry: () => agent.hurry() })
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))
  await agent.start()
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
