import fs from 'node:fs'
import path from 'node:path'

import type { Clock } from '../../platform/clock.ts'
import type { Disk } from '../../platform/disk.ts'
import type { Dice, Ids } from '../../platform/ids.ts'
import type { Log } from '../../platform/logger.ts'
import type { Timers } from '../../platform/timers.ts'
import { DockerDriver } from './docker-driver.ts'
import { openEngine } from './engine.ts'
import { DockerImages } from './images.ts'
import type { Owner } from './labels.ts'
import { nodeNetworks, type NodeNetworkSettings } from './node-networks.ts'

export interface DockerSettings extends NodeNetworkSettings {
  readonly dataFolder: string
  readonly dockerSocket: string
  /** Registries in the node's own network that images may come from. */
  readonly internalRegistries: readonly string[]
  readonly caBundle: string | undefined
  /** Programs of the agent's own list by name: files that the agent reads. */
  readonly programs: ReadonlyMap<string, string>
}

export interface DockerDeps {
  readonly clock: Clock
  readonly timers: Timers
  readonly disk: Disk
  readonly dice: Dice
  readonly ids: Ids
  readonly log: Log
}

/** What tells this data folder's containers from those of every other, for as long as the folder lives. */
const installationOf = ({ disk, ids }: DockerDeps, dataFolder: string): string => {
  const file = path.join(dataFolder, 'installation')
  const known = disk.read(file)?.trim() ?? ''
  if (/^[0-9a-f]{32}$/.test(known)) return known
  const made = ids.next().replaceAll('-', '')
  disk.writeAtomically(file, made)
  return made
}

/**
 * Opens the engine, proves that it answers and is new enough, and puts the node's firewall in force before the first server
 * can start. Throws an AgentError with one sentence: `RUNTIME_UNREACHABLE`, `RUNTIME_REFUSED` or `NETWORK_REFUSED`.
 */
export const openDocker = async (settings: DockerSettings, deps: DockerDeps): Promise<DockerDriver> => {
  const { clock, timers, disk, dice, log } = deps
  const { engine, version } = await openEngine({ socketPath: settings.dockerSocket }, timers)
  const owner: Owner = { installation: installationOf(deps, settings.dataFolder), node: 'node' }
  const { networks, firewall } = nodeNetworks(settings, { engine, timers, owner: () => owner })
  await firewall.keep((sentence) => log.error({ runtime: 'docker' }, sentence))
  log.info({ runtime: 'docker', engine: version.engine, api: version.api }, 'Docker answers')
  return new DockerDriver({
    clock,
    timers,
    log,
    disk,
    engine,
    owner: () => owner,
    images: new DockerImages({ engine, clock, timers, dice }, { internalRegistries: settings.internalRegistries }),
    networks,
    caBundle: settings.caBundle ?? null,
    programText: (name) => {
      const file = settings.programs.get(name)
      return file === undefined ? undefined : fs.readFileSync(file, 'utf8')
    },
    warnings: [],
  })
}
