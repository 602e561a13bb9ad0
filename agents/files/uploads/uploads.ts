import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { OVERLOAD } from '#contracts/overload.ts'
import { UPLOAD_HOURS, type UploadState } from '#contracts/panel/uploads.ts'
import type { IdSource } from '#platform/ids.ts'
import type { HeldFolder } from '../../platform/held-folder.ts'
import { refuseReplacing, type FileContent, type Version } from '../file-content.ts'
import { FileFailure, refusalOf } from '../file-failure.ts'
import type { FileFaultPoint } from '../file-faults.ts'
import type { GrowthBound } from '../growth-bound.ts'
import type { OwnArea } from '../own-area.ts'
import type { Place, ServerRoot } from '../server-root.ts'
import type { AskedUploadPart, BegunUpload } from '../worker-wire.ts'
import { readRecord, writeRecord, type UploadRecord } from './upload-record.ts'

export const CONTENT = Buffer.from('content')
const NEW_FILE = 0o644
const KEPT_MS = UPLOAD_HOURS * 3_600_000
/** Before a path of the node's own area in the journal: no path of a server begins with a slash. */
const OWN = '/uploads/'
const ID = /^[0-9a-f-]{36}$/

interface UploadsDeps {
  readonly root: ServerRoot
  readonly area: OwnArea
  readonly content: FileContent
  readonly growth: GrowthBound
  readonly ids: IdSource
  readonly faults: FileFaultPoint
  readonly now: () => number
}

/** An upload as one of its requests names it. */
export interface AskedUpload {
  readonly id: string
  readonly userId: string
}

/** Bytes of an upload, from their place in it on; `bytes` is missing where nobody knows it before the end. */
export type UploadPart = NonNullable<AskedUploadPart['part']>

/** Whether the server's files may change now, and whether the person may still replace them. */
export interface Rights {
  readonly mayPlace: boolean
  readonly mayReplace: boolean
}

/** `version` is that of the file once it has its place. */
export type Uploaded = UploadState & { readonly version?: Version }

/** The request that has an upload now. */
interface Writer {
  readonly stop: AbortController
  readonly ended: Promise<unknown>
}

/**
 * Uploads that arrive in parts (tus 1.0.0), each in a folder of the node's own area with its record. The recorded offset is the
 * truth: bytes beyond it, which an interruption left, are cut off before the next part. A complete upload loses its content to
 * its place and keeps its record, so that a client whose answer was lost learns how it ended.
 */
export class Uploads {
  readonly #deps: UploadsDeps
  readonly #writers = new Map<string, Writer>()

  constructor(deps: UploadsDeps) {
    this.#deps = deps
  }

  /** Begins one. Throws at once what its end would throw: `ALREADY_EXISTS`, `NO_SPACE`, `NODE_FULL`, a path that is none. */
  async create(wanted: BegunUpload): Promise<Uploaded & { readonly id: string }> {
    const { root, area, ids, growth, now, faults } = this.#deps
    await root.atPlace(wanted.path, async (place) => refuseReplacing(wanted.replaces, await root.versionOf(place)))
    growth.refuse(wanted.bytes)
    await this.#makeRoom(wanted.userId)
    const id = ids.next()
    const name = Buffer.from(id)
    const record: UploadRecord = { ...wanted, version: 1, offset: 0, startedAtMs: now(), expiresAtMs: now() + KEPT_MS }
    try {
      await area.parts.makeFolder(name, 0o700)
      await area.parts.within(name, async (folder) => {
        await (await folder.create(CONTENT, NEW_FILE)).close()
        await writeRecord(folder, record)
      })
      await area.parts.rename(name, area.uploads, name)
    } finally {
      await area.parts.removeAll(name)
    }
    await faults('upload.created')
    const asked = { id, userId: wanted.userId }
    const nothing = { offset: 0, mayReplace: true }
    return { id, ...(wanted.bytes === 0 ? await this.write(asked, nothing, none()) : stateOf(record)) }
  }

  /**
   * Tells how much of an upload has arrived. A request that still writes it is cut, because its client has lost it. A complete
   * upload without its place, where something stopped it, gets its place now: clients take a complete upload for done. Throws as
   * the last part does.
   */
  state(asked: AskedUpload, { mayPlace, mayReplace }: Rights): Promise<Uploaded> {
    return this.#alone(asked, async (folder, record) => {
      const handle = record.offset < record.bytes ? undefined : await contentOf(folder)
      if (handle === undefined) return stateOf(record)
      try {
        if (!mayPlace) throw new FileFailure('READ_ONLY')
        refuseWithoutRight(record, mayReplace)
        return { ...stateOf(record), version: await this.#place(asked.id, { folder, handle, record }) }
      } finally {
        await handle.close()
      }
    })
  }

  /**
   * Adds a part, and gives a complete upload its place. Without a checksum, the bytes of a part that is cut count; with one, all
   * or none. Throws `WRONG_OFFSET`, `WRONG_CHECKSUM`, and at the end `ALREADY_EXISTS`: an empty part tries again.
   */
  write(asked: AskedUpload, part: UploadPart, source: AsyncIterable<Buffer>): Promise<Uploaded> {
    return this.#alone(asked, (folder, record, signal) =>
      this.#write(folder, { id: asked.id, record, part, source, signal }),
    )
  }

  /** Forgets it with all its bytes. */
  end(asked: AskedUpload): Promise<void> {
    return this.#alone(asked, (_folder, record) => this.#forget(asked.id, record))
  }

  /** Removes those that expired, and what is damaged; one whose part still arrives stays. Resolves with the others. */
  async sweep(): Promise<SweptUpload[]> {
    const { area, now } = this.#deps
    const open: SweptUpload[] = []
    for await (const name of area.uploads.names()) {
      const id = name.toString()
      // Both before the record is read: whoever comes later finds it expired, and whoever ended before has recorded it.
      const isArriving = this.#writers.has(id)
      const nowMs = now()
      const record = await area.uploads.within(name, readRecord).catch(() => undefined)
      const isOver = record === undefined || record.expiresAtMs <= nowMs
      if (isOver && !isArriving) await this.#forget(id, record)
      else if (record !== undefined) open.push({ id, record })
    }
    return open
  }

  /** Whether a request adds to it just now. */
  isArriving(id: string): boolean {
    return this.#writers.has(id)
  }

  /** Runs with the place that a journal names, if it is one of an upload. */
  async inPlace(at: string, run: (place: Place) => Promise<void>): Promise<boolean> {
    const id = at.startsWith(OWN) ? at.slice(OWN.length) : ''
    if (!ID.test(id)) return false
    await this.#deps.area.uploads.within(Buffer.from(id), (folder) => run({ folder, name: CONTENT }))
    return true
  }

  async #write(folder: HeldFolder, asked: AskedPart): Promise<Uploaded> {
    const { id, record, part } = asked
    refuseWithoutRight(record, part.mayReplace)
    if (part.offset !== record.offset) throw new FileFailure('WRONG_OFFSET')
    if (record.offset + (part.bytes ?? 0) > record.bytes) throw new FileFailure('INVALID_REQUEST')
    const handle = await contentOf(folder)
    if (handle === undefined) {
      if (record.offset < record.bytes) throw new FileFailure('UPLOAD_GONE')
      // Its content has gone to its place, and the answer was lost.
      return stateOf(record)
    }
    try {
      const arrived = { ...record, expiresAtMs: this.#deps.now() + KEPT_MS }
      try {
        await this.#append(handle, { ...asked, record: arrived })
      } finally {
        if (arrived.offset !== record.offset) await this.#keep(folder, handle, arrived)
      }
      if (arrived.offset < arrived.bytes) return stateOf(arrived)
      return { ...stateOf(arrived), version: await this.#place(id, { folder, handle, record: arrived }) }
    } finally {
      await handle.close()
    }
  }

  /** Writes the bytes that arrive behind those that are there; `record.offset` moves with those that count. */
  async #append(handle: FileHandle, { record, part, source, signal }: AskedPart): Promise<void> {
    const { growth } = this.#deps
    await handle.truncate(record.offset)
    const hash = part.checksum === undefined ? undefined : createHash(part.checksum.algorithm)
    let at = record.offset
    let grownTo = at
    const take = async (pieces: AsyncIterable<Buffer>): Promise<void> => {
      for await (const piece of pieces) {
        if (at + piece.length > record.bytes) throw new FileFailure('INVALID_REQUEST')
        growth.grow(piece.length)
        grownTo += piece.length
        hash?.update(piece)
        await writeAll(handle, piece, at)
        at += piece.length
        if (hash === undefined) record.offset = at
      }
    }
    try {
      // Aborting destroys the source, also one that stands still.
      await pipeline(source, take, { signal })
      if (part.bytes !== undefined && at - part.offset !== part.bytes) throw new FileFailure('INVALID_REQUEST')
      if (hash !== undefined && hash.digest('base64') !== part.checksum?.digest) throw new FileFailure('WRONG_CHECKSUM')
      record.offset = at
    } finally {
      growth.giveBack(grownTo - record.offset)
    }
  }

  async #keep(folder: HeldFolder, handle: FileHandle, record: UploadRecord): Promise<void> {
    await handle.sync()
    await this.#deps.faults('upload.written')
    await writeRecord(folder, record)
    await this.#deps.faults('upload.recorded')
  }

  async #place(id: string, { folder, handle, record }: Complete): Promise<Version> {
    const own = { folder, name: CONTENT, at: `${OWN}${id}` }
    return this.#deps.content.place(record.path, { own, handle, replaces: record.replaces })
  }

  /** Runs with the folder and record of an upload of this person. Throws `NOT_FOUND`, `UPLOAD_GONE` after its time. */
  async #within<Result>(
    { id, userId }: AskedUpload,
    run: (folder: HeldFolder, record: UploadRecord) => Promise<Result>,
  ): Promise<Result> {
    if (!ID.test(id)) throw new FileFailure('NOT_FOUND')
    return this.#deps.area.uploads.within(Buffer.from(id), async (folder) => {
      const record = await readRecord(folder)
      if (record?.userId !== userId) throw new FileFailure('NOT_FOUND')
      if (record.expiresAtMs <= this.#deps.now()) throw new FileFailure('UPLOAD_GONE')
      return run(folder, record)
    })
  }

  /**
   * Runs once the request before has ended, which is cut: no two ever mix their bytes, and a client that has lost its connection
   * does not wait for the old one.
   */
  async #alone<Result>(
    asked: AskedUpload,
    run: (folder: HeldFolder, record: UploadRecord, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    // A stranger is refused before anything is cut.
    await this.#within(asked, () => Promise.resolve())
    const { id } = asked
    const before = this.#writers.get(id)
    before?.stop.abort()
    const stop = new AbortController()
    const begin = () => this.#within(asked, (folder, record) => run(folder, record, stop.signal))
    const running = before === undefined ? begin() : before.ended.then(begin)
    const writer = { stop, ended: running.catch(() => {}) }
    this.#writers.set(id, writer)
    try {
      return await running
    } finally {
      if (this.#writers.get(id) === writer) this.#writers.delete(id)
    }
  }

  /** Bounds the uploads of a person by forgetting the oldest; those of a server are refused. Throws `BUSY`. */
  async #makeRoom(userId: string): Promise<void> {
    const { perUser, perServer } = OVERLOAD.agent.files.uploads
    const open = await this.sweep()
    const own = open
      .filter(({ record }) => record.userId === userId)
      .sort((a, b) => a.record.expiresAtMs - b.record.expiresAtMs)
    const oldest = own.find(({ id }) => !this.#writers.has(id))
    if (own.length >= perUser && oldest !== undefined) await this.#forget(oldest.id, oldest.record)
    else if (open.length >= perServer) throw new FileFailure('BUSY')
  }

  /** Two calls may forget an upload at once: one of them moves it away, and only that call returns the storage. */
  async #forget(id: string, record: UploadRecord | undefined): Promise<void> {
    const { area, growth } = this.#deps
    const name = Buffer.from(id)
    const isHere = await area.uploads.within(name, async (folder) => (await folder.look(CONTENT)).size).catch(() => 0)
    try {
      await area.uploads.rename(name, area.parts, name)
    } catch (error) {
      if (refusalOf(error) === 'NOT_FOUND') return
      throw error
    }
    await area.parts.removeAll(name)
    growth.giveBack(Math.min(isHere, record?.offset ?? 0))
  }
}

/** An upload that a sweep has left. */
export interface SweptUpload {
  readonly id: string
  readonly record: UploadRecord
}

interface AskedPart {
  readonly id: string
  readonly record: UploadRecord
  readonly part: UploadPart
  readonly source: AsyncIterable<Buffer>
  readonly signal: AbortSignal
}

interface Complete {
  readonly folder: HeldFolder
  readonly handle: FileHandle
  readonly record: UploadRecord
}

const stateOf = ({ path, replaces, offset, bytes, expiresAtMs }: UploadRecord): UploadState => ({
  path,
  replaces,
  offset,
  bytes,
  expiresAtMs,
})

const refuseWithoutRight = ({ replaces }: UploadRecord, mayReplace: boolean): void => {
  if (replaces === 'any' && !mayReplace) throw new FileFailure('FORBIDDEN')
}

async function* none(): AsyncGenerator<Buffer> {}

const writeAll = async (handle: FileHandle, piece: Buffer, at: number): Promise<void> => {
  for (let written = 0; written < piece.length;) {
    written += (await handle.write(piece, written, piece.length - written, at + written)).bytesWritten
  }
}

const contentOf = (folder: HeldFolder): Promise<FileHandle | undefined> =>
  folder.fileToWrite(CONTENT).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
