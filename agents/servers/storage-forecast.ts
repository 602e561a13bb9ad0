import type { Usage } from '#contracts/panel/node-files.ts'
import type { Clock } from '#platform/clock.ts'
import type { Log } from '#platform/logger.ts'
import { noteLine } from '../console/notes.ts'
import type { Timers } from '../platform/timers.ts'
import { excessParams } from '../quota/exceeded-storage.ts'
import { fillsWithinADay, fillsWithinAnHour, KEPT_MS, type StoragePoint } from '../quota/storage-trend.ts'
import { happened } from './happened.ts'
import type { ManagedServer } from './managed-server.ts'

const CHECK_MS = 600_000

interface StorageForecastDeps {
  readonly timers: Timers
  readonly clock: Clock
  readonly log: Log
  servers(): readonly ManagedServer[]
  /** The storage of a server in bytes, as it was last measured; no bytes before the first measurement. */
  usage(server: ManagedServer): Usage
}

interface Watched {
  readonly points: readonly StoragePoint[]
  /** It was told that the storage is filling, and it has not stopped since. */
  readonly isTold: boolean
}

/** Reports running servers whose storage will be full in less than a day, or in less than an hour: once, until it grows slower again. */
export class StorageForecast {
  readonly #deps: StorageForecastDeps
  #watched: ReadonlyMap<string, Watched> = new Map()

  constructor(deps: StorageForecastDeps) {
    this.#deps = deps
  }

  /** Returns how to end it. */
  start(): () => void {
    return this.#deps.timers.every(CHECK_MS, () => this.check())
  }

  check(): void {
    // Files that people bring while a server is stopped say nothing about the time in which it runs.
    const running = this.#deps.servers().filter(({ core }) => core.isLive)
    this.#watched = new Map(running.map((server) => [server.core.id, this.#look(server)]))
  }

  #look(server: ManagedServer): Watched {
    const { core } = server
    const usage = this.#deps.usage(server)
    const { points: earlier, isTold } = this.#watched.get(core.id) ?? { points: [], isTold: false }
    const bytes = usage.bytes + usage.binBytes
    if (usage.bytes === 0) return { points: earlier, isTold }
    const atMs = this.#deps.clock.now()
    const points = [...earlier.filter((point) => atMs - point.atMs <= KEPT_MS), { atMs, bytes }]
    const isFilling = fillsWithinADay(points, usage.limitBytes) || fillsWithinAnHour(points, usage.limitBytes)
    if (isFilling && !isTold) this.#tell(server, usage)
    return { points, isTold: isFilling }
  }

  #tell({ core }: ManagedServer, usage: Usage): void {
    const note = noteLine({ code: 'storage-filling', params: excessParams(usage) })
    happened(core, { type: 'server:storage-filling', notes: [note] })
    core.note(note).catch((error: unknown) => {
      this.#deps.log.error({ err: error, serverId: core.id }, 'a note about the storage was not written')
    })
  }
}
