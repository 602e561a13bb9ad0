import fs from 'node:fs'
import path from 'node:path'
import * as z from 'zod'
import { parseJson } from '../../platform/parse-json.ts'
import { AgentError } from '../../platform/agent-error.ts'
import type { Clock } from '#platform/clock.ts'
import type { Disk } from '../../platform/disk.ts'
import type { FaultPoint } from '../../platform/fault-point.ts'
import type { RandomSource, IdSource } from '#platform/ids.ts'
import type { Log } from '#platform/logger.ts'
import { readProtectedFile } from '../../platform/protected-file.ts'
import { sleep, type Timers } from '../../platform/timers.ts'
import { DockerDriver } from './docker-driver.ts'
import { openEngine, type DockerEngine } from './engine.ts'
import { DockerImages } from './images.ts'
import type { Owner } from './labels.ts'
import type { NodeCache } from './networks.ts'
import { nodeNetworks, type NodeNetworkSettings } from './node-networks.ts'
import { RegistryLogins } from './registry-logins.ts'

/** How long to wait for an engine that starts at the same time as the agent. */
const ENGINE_WITHIN_MS = 60_000
const LOOK_EVERY_MS = 1_000

export interface DockerSettings extends NodeNetworkSettings {
  readonly dockerSocket: string
  readonly dataFolder: string
  readonly caBundle: string | null
  /** The node's npm cache, for installations; null: they use the registry directly. */
  readonly cache: NodeCache | null
  readonly internalRegistries: readonly string[]
  /** File of registry logins, in the format of Docker's config.json. */
  readonly registryAuth: string | undefined
  /** The source of one of the agent's own programs. */
  readonly programText: (name: string) => string | undefined
}

export interface DockerDeps {
  readonly clock: Clock
  readonly timers: Timers
  readonly random: RandomSource
  readonly ids: IdSource
  readonly disk: Disk
  readonly log: Log
  readonly faults: FaultPoint
}

const Installation = z.object({ version: z.literal(1), installation: z.string().regex(/^[a-f0-9]{32}$/) })
const NodeName = z.object({ nodeId: z.string() })

const installationFile = (dataFolder: string): string => path.join(dataFolder, 'docker.json')

/** Whether servers of this data folder have run in containers. */
export const hasRunContainers = (disk: Disk, dataFolder: string): boolean =>
  disk.read(installationFile(dataFolder)) !== undefined

/** The random id of this data folder's containers; created once. Throws when the file exists but is damaged. */
const installationOf = ({ disk, ids }: Pick<DockerDeps, 'disk' | 'ids'>, dataFolder: string): string => {
  const file = installationFile(dataFolder)
  const text = disk.read(file)
  const known = parseJson(Installation, text)
  if (known !== undefined) return known.installation
  if (text !== undefined) {
    // With a new id the running containers would be foreign, and each server would be started a second time.
    throw new AgentError('STATE_UNREADABLE', `The file ${file} is damaged, so this node's containers cannot be told.`)
  }
  const installation = ids.next().replaceAll('-', '')
  disk.writeAtomically(file, JSON.stringify({ version: 1, installation }))
  return installation
}

/** Whether containers can run servers here: checked only without an explicit setting. */
export const isDockerUsable = async (settings: DockerSettings, timers: Timers): Promise<boolean> => {
  if (process.getuid?.() !== 0 || !fs.existsSync(settings.dockerSocket)) return false
  try {
    await openEngine({ socketPath: settings.dockerSocket, timeoutMs: 5_000 }, timers)
    return true
  } catch {
    return false
  }
}

const awaitEngine = async (settings: DockerSettings, deps: DockerDeps): Promise<DockerEngine> => {
  const deadline = deps.clock.now() + ENGINE_WITHIN_MS
  for (let attempt = 0; ; attempt += 1) {
    try {
      return (await openEngine({ socketPath: settings.dockerSocket }, deps.timers)).engine
    } catch (error) {
      const mayCome = error instanceof AgentError && error.retryable && deps.clock.now() < deadline
      if (!mayCome) throw error
      if (attempt === 0) deps.log.warn({ socket: settings.dockerSocket }, error.message)
      await sleep(deps.timers, LOOK_EVERY_MS)
    }
  }
}

/** Undefined without a configured file. Throws an AgentError with one sentence when the file is unusable. */
const openLogins = (file: string | undefined): RegistryLogins | undefined => {
  if (file === undefined) return undefined
  const logins = new RegistryLogins(file, { read: readProtectedFile, uid: process.getuid?.() ?? 0 })
  logins.assertUsable()
  return logins
}

const NO_LIVE_RESTORE =
  'The Docker engine ends all servers when it is restarted: set "live-restore": true in its daemon.json.'

/** Warnings about the engine for the operator; none if the engine does not report its settings. */
const warningsOf = async (engine: DockerEngine): Promise<string[]> => {
  const told = await engine.ask(
    'tell of itself',
    (docker) => docker.info() as Promise<{ LiveRestoreEnabled?: boolean }>,
  )
  return told.ok && told.value.LiveRestoreEnabled === false ? [NO_LIVE_RESTORE] : []
}

/**
 * Opens the Docker driver: engine, version, firewall, images. Throws an AgentError with one sentence when the engine
 * does not respond within a minute, is too old, or the node's firewall cannot be set.
 */
export const openDocker = async (settings: DockerSettings, deps: DockerDeps): Promise<DockerDriver> => {
  if (process.getuid?.() !== 0) {
    const message = 'The Docker runtime needs an agent that is root: it gives each server a user of its own.'
    throw new AgentError('RUNTIME_REFUSED', message)
  }
  const logins = openLogins(settings.registryAuth)
  const engine = await awaitEngine(settings, deps)
  const installation = installationOf(deps, settings.dataFolder)
  const owner = (): Owner => {
    const identity = parseJson(NodeName, deps.disk.read(path.join(settings.dataFolder, 'identity.json')))
    return { installation, node: identity?.nodeId ?? '' }
  }
  const warn = (sentence: string): void => deps.log.warn({}, sentence)
  const { cache } = settings
  const { networks, firewall } = nodeNetworks(settings, { engine, timers: deps.timers, owner, cache, warn })
  await networks.adopt()
  await firewall.keep((sentence) => deps.log.error({}, sentence))
  const images = new DockerImages({ engine, logins, ...deps }, { internalRegistries: settings.internalRegistries })
  return new DockerDriver({
    ...deps,
    engine,
    owner,
    images,
    networks,
    caBundle: settings.caBundle,
    programText: settings.programText,
    warnings: await warningsOf(engine),
    closed: () => firewall.close(),
  })
}
