import type { Usage } from '#contracts/panel/node-files.ts'
import type { Log } from '#platform/logger.ts'
import { noteLine } from '../console/notes.ts'
import type { Timers } from '../platform/timers.ts'
import type { ManagedServer } from './managed-server.ts'

const CHECK_MS = 10_000
const MIB = 1024 * 1024

/**
 * Whether files and bin take at least 110 % of the storage. Up to there a server goes on, because a game that saves its world
 * must not lose it at the last byte.
 */
export const isStorageExceeded = ({ bytes, binBytes, limitBytes }: Usage): boolean =>
  limitBytes > 0 && (bytes + binBytes) * 10 >= limitBytes * 11

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

  async #stop(server: ManagedServer, { bytes, binBytes, limitBytes }: Usage): Promise<void> {
    const { core } = server
    const params = { usedMiB: Math.ceil((bytes + binBytes) / MIB), limitMiB: Math.floor(limitBytes / MIB) }
    const note = noteLine({ code: 'storage-exceeded', params })
    this.#stopping.add(core.id)
    try {
      core.deps.emit({
        kind: 'activity',
        serverId: core.id,
        userId: null,
        type: 'server:storage-exceeded',
        detail: note.text,
      })
      await core.note(note)
      await server.power('stop')
    } catch (error) {
      this.#deps.log.error({ err: error, serverId: core.id }, 'a server beyond its storage could not be stopped')
    } finally {
      this.#stopping.delete(core.id)
    }
  }
}
