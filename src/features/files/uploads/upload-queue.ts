import { inFreePlace } from '../free-place.ts'
import { UPLOAD_PART_BYTES } from '#contracts/panel/uploads.ts'
import { folderOf, joinPath } from '#contracts/panel/file-path.ts'
import { ApiFailure } from '@/lib/browser-client/failure.ts'
import { FileTrouble } from '../file-trouble.ts'
import type { Chosen } from './dropped-files.ts'

/** The answer for a file whose name is taken; asked once for all. */
export type Policy = 'skip' | 'replace' | 'keep both'

export type Upload = {
  readonly id: number
  readonly path: string
  readonly size: number
  readonly sent: number
  readonly state: 'waiting' | 'sending' | 'paused' | 'done' | 'taken' | 'skipped' | 'failed'
  readonly failure?: unknown
}

export type SendOptions = {
  readonly replaces: boolean
  readonly onSent: (bytes: number) => void
  readonly signal: AbortSignal
  readonly hold: AbortSignal
}

export type Transfer = {
  /**
   * Sends a file; `replaces` false refuses a name that is taken. `signal` ends it for good, `hold` stops it so that it can go on.
   * Rejects with `FileTrouble`.
   */
  readonly send: (path: string, file: File, options: SendOptions) => Promise<void>
  readonly makeFolder: (path: string) => Promise<void>
  /** Whether the node has exactly these bytes at the path. */
  readonly holds: (path: string, file: File) => Promise<boolean>
  /** Resolves when it is time to try again after an interruption; `attempt` counts from 0 until something arrives. */
  readonly pause: (attempt: number, signal: AbortSignal) => Promise<void>
}

/**
 * `wasCut`: an attempt was interrupted, so its file may have arrived without the answer. `replaces`: decided when it began, in an
 * earlier visit. `hold` stops the attempt that runs.
 */
type Item = {
  upload: Upload
  readonly file: File
  target: string
  wasCut: boolean
  readonly replaces: boolean | undefined
  hold: AbortController
}

/** Whether a file is sent in parts, and goes on after an interruption from where it was. One part gains nothing by that. */
export const goesInParts = ({ size }: { readonly size: number }): boolean => size > UPLOAD_PART_BYTES

const AT_ONCE = 3

const isTaken = (failure: unknown): boolean => failure instanceof FileTrouble && failure.code === 'ALREADY_EXISTS'
/** Neither says anything about the file: no connection, or a node that has no place for the request at the moment. */
const isInterruption = (failure: unknown): boolean =>
  failure instanceof FileTrouble
    ? failure.code === 'AWAY' || failure.code === 'BUSY'
    : failure instanceof ApiFailure && failure.code === 'OFFLINE'

/**
 * Uploads to one server, three at once. After an interruption they go on by themselves. Its state is a new list after every
 * change.
 */
export class UploadQueue {
  readonly #transfer: Transfer
  readonly #changed: () => void
  #items: readonly Item[] = []
  #policy: Policy | null = null
  #running = 0
  #nextId = 1
  #interruptions = 0
  #isPaused = false
  #stop = new AbortController()
  readonly #folders = new Map<string, Promise<void>>()
  #list: readonly Upload[] = []

  constructor(transfer: Transfer, changed: () => void) {
    this.#transfer = transfer
    this.#changed = changed
  }

  get list(): readonly Upload[] {
    return this.#list
  }

  /** Whether files wait for a decision about taken names. */
  get isAsking(): boolean {
    return this.#policy === null && this.#list.some(({ state }) => state === 'taken')
  }

  /** Whether everything waits for the connection. */
  get isInterrupted(): boolean {
    return this.#isPaused
  }

  add(folder: string, chosen: readonly Chosen[]): void {
    const items = chosen.map(({ path, file, replaces }): Item => {
      const target = joinPath(folder, path)
      const upload: Upload = { id: this.#nextId++, path: target, size: file.size, sent: 0, state: 'waiting' }
      return { file, target, replaces, wasCut: false, hold: new AbortController(), upload }
    })
    this.#items = [...this.#items, ...items]
    this.#tell()
    this.#fill()
  }

  /** Decides about all names that are taken, now and until the list is cleared. */
  decide(policy: Policy): void {
    this.#policy = policy
    for (const item of this.#items.filter(({ upload }) => upload.state === 'taken')) {
      this.#set(item, policy === 'skip' ? { state: 'skipped' } : { state: 'waiting', sent: 0 })
    }
    this.#fill()
  }

  /** Stops one upload, or all that are not done, until `resume`. The arrived part of a large file stays at the node. */
  pause(id?: number): void {
    for (const item of this.#items.filter(({ upload }) => id === undefined || upload.id === id)) {
      if (item.upload.state !== 'waiting' && item.upload.state !== 'sending') continue
      item.wasCut ||= item.upload.state === 'sending'
      this.#set(item, { state: 'paused', ...(goesInParts(item.file) ? {} : { sent: 0 }) })
      item.hold.abort()
    }
    this.#fill()
  }

  /** Goes on with one that is paused, or with all of them. */
  resume(id?: number): void {
    for (const item of this.#items.filter(({ upload }) => id === undefined || upload.id === id)) {
      if (item.upload.state !== 'paused') continue
      item.hold = new AbortController()
      this.#set(item, { state: 'waiting' })
    }
    this.#fill()
  }

  /** Sends what failed once more. */
  retry(): void {
    for (const item of this.#items.filter(({ upload }) => upload.state === 'failed')) {
      this.#set(item, { state: 'waiting', sent: 0 })
    }
    this.#fill()
  }

  /** Stops everything that is not done, and forgets the list. */
  clear(): void {
    this.#stop.abort()
    this.#stop = new AbortController()
    this.#items = []
    this.#policy = null
    this.#isPaused = false
    this.#interruptions = 0
    this.#folders.clear()
    this.#tell()
  }

  #fill(): void {
    while (this.#running < AT_ONCE && !this.#isPaused) {
      const item = this.#items.find(({ upload }) => upload.state === 'waiting')
      if (item === undefined) return
      this.#running += 1
      this.#set(item, { state: 'sending' })
      void this.#send(item).finally(() => {
        this.#running -= 1
        this.#fill()
      })
    }
  }

  async #send(item: Item): Promise<void> {
    const { signal } = this.#stop
    const hold = item.hold.signal
    try {
      await this.#makeFolders(folderOf(item.target))
      if (hold.aborted) return
      await this.#sendOnce(item, { signal, hold })
      this.#interruptions = 0
      this.#set(item, { state: 'done', sent: item.file.size })
    } catch (failure) {
      if (signal.aborted || hold.aborted) return
      if (isInterruption(failure)) this.#interrupted(item, signal)
      else if (!isTaken(failure)) this.#set(item, { state: 'failed', failure })
      else if (this.#policy === null) this.#set(item, { state: 'taken' })
      else if (this.#policy === 'skip') this.#set(item, { state: 'skipped' })
      else this.#set(item, { state: 'failed', failure })
    }
  }

  #interrupted(item: Item, signal: AbortSignal): void {
    item.wasCut = true
    this.#set(item, { state: 'waiting', ...(goesInParts(item.file) ? {} : { sent: 0 }) })
    if (this.#isPaused) return
    this.#isPaused = true
    this.#tell()
    void this.#transfer.pause(this.#interruptions++, signal).then(() => {
      this.#isPaused = false
      this.#tell()
      this.#fill()
    })
  }

  async #sendOnce(item: Item, ends: Pick<SendOptions, 'signal' | 'hold'>): Promise<void> {
    const onSent = (sent: number): void => {
      if (!ends.hold.aborted) this.#set(item, { sent })
    }
    if (this.#policy !== 'keep both' || item.replaces !== undefined) {
      const replaces = item.replaces ?? this.#policy === 'replace'
      return this.#sendTo(item.target, item, { replaces, onSent, ...ends })
    }
    return inFreePlace(item.target, (path) => this.#sendTo(path, item, { replaces: false, onSent, ...ends }))
  }

  async #sendTo(path: string, item: Item, options: SendOptions): Promise<void> {
    try {
      return await this.#transfer.send(path, item.file, options)
    } catch (failure) {
      if (!isTaken(failure) || !item.wasCut) throw failure
      const isOurs = await this.#transfer.holds(path, item.file).catch((trouble: unknown) => {
        if (isInterruption(trouble)) throw trouble
        return false
      })
      if (!isOurs) throw failure
    }
  }

  /** Each folder once; one that exists is as good as one that was made. */
  async #makeFolders(folder: string): Promise<void> {
    if (folder === '') return
    await this.#makeFolders(folderOf(folder))
    const known = this.#folders.get(folder)
    if (known !== undefined) return known
    const made = this.#transfer.makeFolder(folder).catch((failure: unknown) => {
      if (!isTaken(failure)) {
        this.#folders.delete(folder)
        throw failure
      }
    })
    this.#folders.set(folder, made)
    return made
  }

  #set(item: Item, change: Partial<Upload>): void {
    item.upload = { ...item.upload, ...change }
    this.#tell()
  }

  #tell(): void {
    this.#list = this.#items.map(({ upload }) => upload)
    this.#changed()
  }
}

export type UploadTotals = {
  readonly all: number
  readonly settled: number
  readonly failed: number
  readonly bytes: number
  readonly sent: number
}

/** The tray's summary of a list; a skipped file counts as settled and has no bytes. */
export const totalsOf = (list: readonly Upload[]): UploadTotals => {
  const counted = list.filter(({ state }) => state !== 'skipped')
  const sum = (of: (upload: Upload) => number) => counted.reduce((total, upload) => total + of(upload), 0)
  return {
    all: list.length,
    settled: list.filter(({ state }) => state === 'done' || state === 'skipped').length,
    failed: list.filter(({ state }) => state === 'failed').length,
    bytes: sum(({ size }) => size),
    sent: sum(({ sent }) => sent),
  }
}
