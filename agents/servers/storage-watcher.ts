import type { Usage } from '#contracts/panel/node-files.ts'
import type { Log } from '#platform/logger.ts'
import { noteLine } from '../console/notes.ts'
import type { Timers } from '../platform/timers.ts'
import { excessParams, isStorageExceeded } from '../quota/exceeded-storage.ts'
import { happened } from './happened.ts'
import type { ManagedServer } from './managed-server.ts'

const CHECK_MS = 10_000

interface StorageWatcherDeps {
  readonly timers: Timers
  readonly log: Log
  servers(): readonly ManagedServer[]
  /** The storage of a server in bytes, as it was last measured. */
  usage(server: ManagedServer): Usage
}

/** Stops servers whose programs write beyond their storage, where the disk itself does not refuse it. */
export class StorageWatcher {
  readonly #deps: StorageWatcherDeps
  readonly #stopping = new Set<string>()

  constructor(deps: StorageWatcherDeps) {
    this.#deps = deps
  }

  /** Returns how to end it. */
  start(): () => void {
    return this.#deps.timers.every(CHECK_MS, () => this.check())
  }

  check(): void {
    for (const server of this.#deps.servers()) {
      const { core } = server
      if (!core.isLive || core.record.state === 'stopping' || this.#stopping.has(core.id)) continue
      const usage = this.#deps.usage(server)
      if (isStorageExceeded(usage)) void this.#stop(server, usage)
    }
  }

  async #stop(server: ManagedServer, usage: Usage): Promise<void> {
    const { core } = server
    const note = noteLine({ code: 'storage-exceeded', params: excessParams(usage) })
    this.#stopping.add(core.id)
    try {
      happened(core, { type: 'server:storage-exceeded', notes: [note] })
      await core.note(note)
      await server.power('stop')
    } catch (error) {
      this.#deps.log.error({ err: error, serverId: core.id }, 'a server beyond its storage could not be stopped')
    } finally {
      this.#stopping.delete(core.id)
    }
  }
}
