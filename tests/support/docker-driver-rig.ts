import { chownSync, mkdirSync } from 'node:fs'
import path from 'node:path'

import { systemClock } from '#platform/clock.ts'
import { realDisk } from '../../agents/platform/disk.ts'
import { noFaults } from '#platform/fault-point.ts'
import { type FaultPoint } from '../../agents/platform/fault-point.ts'
import type { Log } from '#platform/logger.ts'
import { silentLog } from '#platform/logger.ts'
import { systemTimers } from '../../agents/platform/timers.ts'
import { DockerDriver } from '../../agents/runtime/docker/docker-driver.ts'
import type { ImageStore, NetworkStore } from '../../agents/runtime/docker/task-launcher.ts'
import { DockerEngine, ENGINE_DEFAULTS } from '../../agents/runtime/docker/engine.ts'
import type { Owner } from '../../agents/runtime/docker/labels.ts'
import type { ServerFolders, TaskSpec } from '../../agents/runtime/driver/runtime-driver.ts'
import { SERVER_ID } from '../factories/server-spec.ts'
import type { TestDockerDaemon } from './docker-daemon.ts'
import { IMAGE_GAME } from './docker-image.ts'
import { ownContainerUsers } from './own-users.ts'

export const GAME_UID = ownContainerUsers().test
export const OWNER: Owner = { installation: '4f1c2a7e90b34d55a1e2c3d4e5f60718', node: 'node-1' }

export interface DriverOptions {
  readonly owner?: Owner
  readonly log?: Log
  readonly images?: ImageStore
  readonly networks?: NetworkStore
  readonly timeoutMs?: number
  readonly faults?: FaultPoint
}

const NO_NETWORKS: NetworkStore = {
  prepare: () => Promise.resolve({ name: 'none', registry: null }),
  release: () => Promise.resolve(),
  remove: () => Promise.resolve(),
}
const LIMITS = { memoryMiB: 256, swapMiB: 0, cpuPercent: 100, pids: 64, ioWeight: null }
let tasks = 0

/** Drivers over one daemon, and folders of servers on a disk that the daemon's containers see. */
export const dockerRig = (daemon: TestDockerDaemon, options: { image: string; folder: string }) => {
  const opened: DockerDriver[] = []
  const engine = (timeoutMs?: number): DockerEngine =>
    new DockerEngine(
      { ...ENGINE_DEFAULTS, socketPath: daemon.socketPath, ...(timeoutMs === undefined ? {} : { timeoutMs }) },
      systemTimers,
    )
  const newDriver = (change: DriverOptions = {}): DockerDriver => {
    const driver = new DockerDriver({
      clock: systemClock,
      timers: systemTimers,
      log: change.log ?? silentLog,
      disk: realDisk,
      faults: change.faults ?? noFaults,
      engine: engine(change.timeoutMs),
      owner: () => change.owner ?? OWNER,
      images: change.images ?? { prepare: () => Promise.resolve({ id: options.image, volumes: [] }) },
      networks: change.networks ?? NO_NETWORKS,
      caBundle: null,
      programText: () => undefined,
      warnings: [],
    })
    opened.push(driver)
    return driver
  }
  const newFolders = (): ServerFolders => {
    tasks += 1
    const base = path.join(options.folder, `server-${tasks}`)
    const folders = {
      root: path.join(base, 'root'),
      state: path.join(base, 'state'),
      console: path.join(base, 'console'),
    }
    for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true })
    chownSync(folders.root, GAME_UID, GAME_UID)
    return folders
  }
  const newSpec = (folders: ServerFolders, change: Partial<TaskSpec> = {}): TaskSpec => {
    tasks += 1
    return {
      handle: {
        version: 1,
        driver: 'docker',
        taskId: `task-${process.pid}-${tasks}`,
        serverId: SERVER_ID,
        kind: 'server',
      },
      folders,
      argv: [...IMAGE_GAME],
      environment: { GAME_START_DELAY_MS: '10' },
      limits: LIMITS,
      image: '~game',
      ports: [],
      uid: GAME_UID,
      timeoutMs: null,
      ...change,
    }
  }
  const closeAll = (): void => {
    for (const driver of opened.splice(0)) driver.close()
  }
  return { newDriver, newFolders, newSpec, closeAll, limits: LIMITS }
}

export const textsOf = (driver: DockerDriver, folders: ServerFolders): string[] =>
  driver
    .openConsole(folders)
    .after(0, 1_000_000)
    .lines.map((line) => line.text)
