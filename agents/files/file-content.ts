import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BigIntStats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import type { IdSource } from '#platform/ids.ts'
import { FileFailure } from './file-failure.ts'
import type { FileFaultPoint } from './file-faults.ts'
import type { GrowthBound, Room } from './growth-bound.ts'
import type { History } from './history.ts'
import type { OwnArea } from './own-area.ts'
import { refuseTaken, type Journalled, type Placing } from './placing.ts'
import { etagOf, type ServerRoot } from './server-root.ts'
import type { TakenNames, Wish } from './taken-names.ts'

const NEW_FILE = 0o644
const PERMISSIONS = 0o777
const NANOSECONDS = 1_000_000n

export interface Version {
  readonly etag: string
  readonly mtimeMs: number
}

/** The version of a file status. */
export const versionOf = (stats: BigIntStats): Version => ({
  etag: etagOf(stats),
  mtimeMs: Number(stats.mtimeNs / NANOSECONDS),
})

/** Which version a write replaces: `new` none at all, `any` whatever is there, an ETag only that one. */
export type Replaced = 'new' | 'any' | { readonly etag: string }

interface Wanted {
  /** Undefined where nobody knows it yet; `ended` then says it at the end. */
  readonly bytes: number | undefined
  /** The bytes that a source of unknown length should have had when it ended. */
  readonly ended?: () => number | undefined
  readonly replaces: Replaced
  /** The person's choice for a new file whose name is taken. */
  readonly wish?: Wish
}

/** A version, and the path that a file got by a wish. */
type Written = Version & { readonly path?: string }

interface ContentDeps {
  readonly root: ServerRoot
  readonly area: OwnArea
  readonly placing: Placing
  readonly ids: IdSource
  readonly faults: FileFaultPoint
  readonly history: History
  readonly growth: GrowthBound
  readonly takenNames: TakenNames
}

export interface OpenContent extends Version {
  readonly handle: FileHandle
  readonly size: number
}

/** Reads and writes the content of files. A write is complete or has no effect: readers see the old or the new bytes. */
export class FileContent {
  readonly #deps: ContentDeps

  constructor(deps: ContentDeps) {
    this.#deps = deps
  }

  /** The open file, or an earlier version of it, with its size and version; the caller closes it. */
  async open(path: string, version?: string): Promise<OpenContent> {
    const { root, history } = this.#deps
    const handle = await (version === undefined ? root.openFile(path) : history.open(path, version))
    try {
      const stats = await handle.stat({ bigint: true })
      return { handle, size: Number(stats.size), ...versionOf(stats) }
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  /** Writes exactly `bytes` bytes, or all of an unknown length; a source that ends early or goes on leaves everything as it was. Returns the new version. */
  write(path: string, source: Readable, wanted: Wanted): Promise<Written> {
    return this.#deps.growth.within((room) => this.#write(path, source, { ...wanted, room }))
  }

  async #write(
    path: string,
    source: Readable,
    { bytes, ended, replaces, wish, room }: Wanted & { readonly room: Room },
  ): Promise<Written> {
    const { root, area, ids, faults, takenNames } = this.#deps
    // A refusal comes before the bytes, and once more after them.
    await root.atPlace(path, async (place) => {
      if (wish === undefined) refuseReplacing(replaces, await root.versionOf(place))
      else if (wish.taken === 'refuse') await refuseTaken(place)
    })
    if (bytes !== undefined) room.reserve(bytes)
    const part = Buffer.from(ids.next())
    const handle = await area.parts.create(part, NEW_FILE)
    try {
      await faults('write.begun')
      await pipeline(
        source,
        bytes === undefined ? counted(room, ended) : bounded(bytes, room),
        async (pieces: AsyncIterable<Buffer>) => {
          for await (const piece of pieces) await handle.writeFile(piece)
        },
      )
      if (replaces !== 'new') await handle.sync()
      await faults('write.complete')
      const own: Journalled = { folder: area.parts, name: part, at: `/parts/${part.toString()}` }
      if (wish === undefined) return await this.place(path, { own, handle, replaces })
      const placed = await takenNames.place(path, wish, async (at) => {
        // Folders have no version that could be refused.
        await root.atPlace(at, refuseTaken)
        return this.place(at, { own, handle, replaces: 'new' })
      })
      return { ...placed.result, path: placed.path }
    } finally {
      await handle.close()
      await area.parts.removeAll(part)
    }
  }

  /**
   * Gives complete content its place; `own` is where it lies in the node's area, `handle` the same file. Throws as `write`, and
   * leaves it there then.
   */
  place(
    path: string,
    { own, handle, replaces }: { own: Journalled; handle: FileHandle; replaces: Replaced },
  ): Promise<Version> {
    const { root, placing, faults, history } = this.#deps
    return root.atPlace(path, (place) =>
      placing.alone(async () => {
        const current = await root.versionOf(place)
        refuseReplacing(replaces, current)
        if (current === undefined) {
          await placing.place(own, { ...place, at: path })
        } else {
          if (typeof replaces === 'object') await history.keep(path, place)
          await handle.chmod(Number(current.mode) & PERMISSIONS)
          await own.folder.rename(own.name, place.folder, place.name)
        }
        await faults('write.placed')
        return versionOf(await handle.stat({ bigint: true }))
      }),
    )
  }
}

/** Throws when the version that is there is not one to replace: `ALREADY_EXISTS`, `NOT_FOUND`, `CHANGED`. */
export const refuseReplacing = (replaces: Replaced, current: BigIntStats | undefined): void => {
  if (replaces === 'any') return
  if (replaces === 'new') {
    if (current !== undefined) throw new FileFailure('ALREADY_EXISTS')
    return
  }
  if (current === undefined) throw new FileFailure('NOT_FOUND')
  const version = versionOf(current)
  if (version.etag !== replaces.etag) throw new FileFailure('CHANGED', version)
}

/** Passes everything on that the storage holds, and throws if the source was cut. */
const counted = (room: Room, ended: (() => number | undefined) | undefined) =>
  async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0
    for await (const piece of source) {
      room.grow(piece.length)
      bytes += piece.length
      yield piece
    }
    if (ended?.() !== bytes) throw new FileFailure('INVALID_REQUEST')
  }

/** Passes exactly this many bytes on, or throws. */
const bounded = (bytes: number, room: Room) =>
  async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let left = bytes
    for await (const piece of source) {
      left -= piece.length
      room.refuseFullDisk(piece.length)
      if (left < 0) throw new FileFailure('INVALID_REQUEST')
      yield piece
    }
    if (left > 0) throw new FileFailure('INVALID_REQUEST')
  }
