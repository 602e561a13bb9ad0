import { noteLine } from '../../console/notes.ts'
import type { Log } from '#platform/logger.ts'
import type { ServerFolders } from '../driver/runtime-driver.ts'
import type { TaskHandle } from '../driver/task-handle.ts'
import type { ConsoleWriters } from './console-writers.ts'
import type { DockerEngine } from './engine.ts'
import type { NetworkStore } from './task-launcher.ts'

export interface RepairDeps {
  readonly engine: DockerEngine
  readonly networks: NetworkStore
  readonly writers: ConsoleWriters
  readonly clock: { now(): number }
  readonly log: Log
}

/** A running container that may have lost its network. */
export interface ConnectedTask {
  readonly handle: TaskHandle
  readonly folders: ServerFolders
  readonly containerId: string
}

/** Reconnects a running server whose network was removed by hand: without one it is unreachable. */
export class NetworkRepair {
  readonly #deps: RepairDeps
  readonly #looking = new Set<string>()

  constructor(deps: RepairDeps) {
    this.#deps = deps
  }

  /** Checks each container once at a time, and connects one that runs without any network. Failures are logged. */
  async look(task: ConnectedTask): Promise<void> {
    const { containerId, handle } = task
    if (this.#looking.has(containerId)) return
    this.#looking.add(containerId)
    try {
      if (await this.#isAlone(containerId)) await this.#connect(task)
    } catch (error) {
      this.#deps.log.error({ err: error, serverId: handle.serverId }, 'a server without a network was not connected')
    } finally {
      this.#looking.delete(containerId)
    }
  }

  async #isAlone(containerId: string): Promise<boolean> {
    const told = await this.#deps.engine.ask('tell of a container', (docker) =>
      docker.getContainer(containerId).inspect(),
    )
    return told.ok && told.value.State.Running && Object.keys(told.value.NetworkSettings.Networks).length === 0
  }

  async #connect({ containerId, handle, folders }: ConnectedTask): Promise<void> {
    const { engine, networks, log, writers, clock } = this.#deps
    const { name } = await networks.prepare(handle.serverId, handle.kind)
    await engine.get('connect a container', (docker) => docker.getNetwork(name).connect({ Container: containerId }))
    log.error({ serverId: handle.serverId, network: name }, 'the network of a running server was removed by hand')
    writers.note(folders.console, [
      { timeMs: clock.now(), stream: 'x', ...noteLine({ code: 'network-lost', params: {} }) },
    ])
  }
}
