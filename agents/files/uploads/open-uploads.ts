import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { nameOf } from '#contracts/panel/file-path.ts'
import {
  SUMS_AT_ONCE,
  UPLOAD_HOURS,
  UPLOAD_PART_BYTES,
  type OpenUpload,
  type UploadSums,
} from '#contracts/panel/uploads.ts'
import { FileFailure, refusalOf } from '../file-failure.ts'
import type { OwnArea } from '../own-area.ts'
import type { UploadAsker } from '../worker-wire.ts'
import { CONTENT, type SweptUpload, type Uploads } from './uploads.ts'

const KEPT_MS = UPLOAD_HOURS * 3_600_000
const PIECE_BYTES = 256 * 1024

interface OpenUploadsDeps {
  readonly uploads: Uploads
  readonly area: OwnArea
  readonly now: () => number
}

interface AskedSums {
  readonly id: string
  readonly fromPart: number
  /** Aborted once nobody waits for the answer. */
  readonly signal?: AbortSignal | undefined
}

interface Range {
  readonly from: number
  readonly to: number
  readonly signal: AbortSignal | undefined
}

/**
 * The uploads that are not complete, as the people of a server see them, whoever began them and in whichever browser.
 */
export class OpenUploads {
  readonly #deps: OpenUploadsDeps
  /** The last reading of each person. */
  readonly #readings = new Map<string, Promise<unknown>>()

  constructor(deps: OpenUploadsDeps) {
    this.#deps = deps
  }

  /** Newest first. Those whose file has its place are no longer among them. */
  async list({ userId }: UploadAsker): Promise<OpenUpload[]> {
    const { uploads, now } = this.#deps
    const open: OpenUpload[] = []
    for (const { id, record } of await uploads.sweep()) {
      if (!(await this.#isHere(id))) continue
      const { version: _version, userId: beginner, ...shown } = record
      const idleMs = Math.max(0, now() - (record.expiresAtMs - KEPT_MS))
      // An earlier release kept no name of its own.
      const name = record.name || nameOf(record.path)
      open.push({ ...shown, name, id, isOwn: beginner === userId, isArriving: uploads.isArriving(id), idleMs })
    }
    return open.sort((one, other) => (other.startedAtMs ?? 0) - (one.startedAtMs ?? 0))
  }

  /**
   * The sums of what is safely on the disk. Each reads up to 256 MiB of the disk that the games use, so those of one person
   * follow one another and end with their request. Throws `NOT_FOUND` for somebody else's, `BUSY` once the request is cut.
   */
  async sums({ userId }: UploadAsker, asked: AskedSums): Promise<UploadSums> {
    const before = this.#readings.get(userId) ?? Promise.resolve()
    const reading = before.then(() => this.#sums(userId, asked))
    const ended = reading.catch(() => {})
    this.#readings.set(userId, ended)
    try {
      return await reading
    } finally {
      if (this.#readings.get(userId) === ended) this.#readings.delete(userId)
    }
  }

  async #sums(userId: string, { id, fromPart, signal }: AskedSums): Promise<UploadSums> {
    refuseCut(signal)
    const { record } = await this.#find(id)
    if (record.userId !== userId) throw new FileFailure('NOT_FOUND')
    const { offset } = record
    return this.#deps.area.uploads.within(Buffer.from(id), async (folder) => {
      const content = await folder.file(CONTENT)
      if (content === undefined) throw new FileFailure('UPLOAD_GONE')
      const sums: string[] = []
      try {
        for (let at = fromPart * UPLOAD_PART_BYTES; at < offset && sums.length < SUMS_AT_ONCE; at += UPLOAD_PART_BYTES)
          sums.push(await sumOf(content.handle, { from: at, to: Math.min(offset, at + UPLOAD_PART_BYTES), signal }))
      } finally {
        await content.handle.close()
      }
      return { offset, sums }
    })
  }

  /** Removes one with its bytes, and cuts who sends it. Throws `NOT_FOUND`, and `FORBIDDEN` for somebody else's without `mayAll`. */
  async end({ userId, mayAll }: UploadAsker, id: string): Promise<{ path: string; isOwn: boolean }> {
    const { record } = await this.#find(id)
    const isOwn = record.userId === userId
    if (!isOwn && !mayAll) throw new FileFailure('FORBIDDEN')
    await this.#deps.uploads.end({ id, userId: record.userId })
    return { path: record.path, isOwn }
  }

  async #find(id: string): Promise<SweptUpload> {
    const found = (await this.#deps.uploads.sweep()).find((each) => each.id === id)
    if (found === undefined || !(await this.#isHere(id))) throw new FileFailure('NOT_FOUND')
    return found
  }

  /** Not the one either that was removed since the sweep. */
  async #isHere(id: string): Promise<boolean> {
    try {
      await this.#deps.area.uploads.within(Buffer.from(id), (folder) => folder.look(CONTENT))
      return true
    } catch (error) {
      if (refusalOf(error) === 'NOT_FOUND') return false
      throw error
    }
  }
}

const refuseCut = (signal: AbortSignal | undefined): void => {
  if (signal?.aborted) throw new FileFailure('BUSY')
}

const sumOf = async (handle: FileHandle, { from, to, signal }: Range): Promise<string> => {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(PIECE_BYTES)
  for (let at = from; at < to;) {
    refuseCut(signal)
    const { bytesRead } = await handle.read(buffer, 0, Math.min(PIECE_BYTES, to - at), at)
    if (bytesRead === 0) throw new FileFailure('UPLOAD_GONE')
    hash.update(buffer.subarray(0, bytesRead))
    at += bytesRead
  }
  return hash.digest('base64')
}
