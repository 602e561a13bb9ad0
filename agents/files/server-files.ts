import type { ClientHttp2Session } from 'node:http2'
import type { Usage } from '#contracts/panel/node-files.ts'
import { TOKEN_SKEW_SECONDS } from '#contracts/panel/token.ts'
import type { Clock } from '#platform/clock.ts'
import type { ManagedServer } from '../servers/managed-server.ts'
import type { Measured } from './growth-bound.ts'
import type { FileWorkers } from './file-workers.ts'
import { usageOf } from '../quota/exceeded-storage.ts'
import { reserveOf } from '../quota/node-reserve.ts'
import type { StorageUse } from '../quota/quota-driver.ts'
import { ROOM_HEADERS } from './worker-wire.ts'

export interface ServerFilesDeps {
  readonly clock: Clock
  readonly workers: FileWorkers
  /** Whether each server has a user of its own. */
  readonly ownUser: boolean
  /** The bytes that the server's own folder and the node's area beside it take. */
  usage(server: ManagedServer): StorageUse
}

/** The storage headers of a request to a worker. */
export type RoomHeaders = Readonly<Record<string, string>>

/** The files of the node's servers, for every door to them: their worker, their storage, and whether they may change. */
export class ServerFiles {
  readonly #deps: ServerFilesDeps

  constructor(deps: ServerFilesDeps) {
    this.#deps = deps
  }

  usage(server: ManagedServer): Usage {
    return usageOf(this.#deps.usage(server), server.core.spec?.limits.storageMiB ?? 0)
  }

  /** The free storage at the last measurement, and the reserve of the disk. */
  measured(server: ManagedServer): Measured & { readonly reserveBytes: number } {
    const { measurement, measuredAtMs } = this.#deps.usage(server)
    const reserveBytes = reserveOf(server.core.layout)
    return { freeBytes: Math.max(0, this.freeBytes(server)), measurement, measuredAtMs, reserveBytes }
  }

  freeBytes(server: ManagedServer): number {
    const { bytes, binBytes, limitBytes } = this.usage(server)
    return limitBytes - bytes - binBytes
  }

  /** After its paid time and while it is suspended, a server's files can be looked at and taken, and nothing else. */
  isReadOnly({ core }: ManagedServer): boolean {
    const { spec } = core
    const earliestMs = this.#deps.clock.now() - TOKEN_SKEW_SECONDS * 1_000
    return spec === null || spec.suspended || (spec.expiresAtMs !== undefined && spec.expiresAtMs <= earliestMs)
  }

  /** Runs with a session to the server's worker, and the headers that tell it the storage. */
  use<Result>(
    server: ManagedServer,
    run: (session: ClientHttp2Session, room: RoomHeaders) => Promise<Result>,
  ): Promise<Result> {
    const { workers, ownUser } = this.#deps
    const { id, uid, layout } = server.core
    const { freeBytes, measurement, measuredAtMs, reserveBytes } = this.measured(server)
    const room = {
      [ROOM_HEADERS.limit]: String(this.usage(server).limitBytes),
      [ROOM_HEADERS.free]: String(freeBytes),
      [ROOM_HEADERS.measurement]: String(measurement),
      ...(measuredAtMs === undefined ? {} : { [ROOM_HEADERS.measuredAt]: String(measuredAtMs) }),
      [ROOM_HEADERS.reserve]: String(reserveBytes),
    }
    const owner = {
      serverId: id,
      uid: ownUser ? uid : null,
      root: layout.root,
      area: layout.files,
      stateFile: layout.fileWorkerFile,
    }
    return workers.use(owner, (session) => run(session, room))
  }
}
