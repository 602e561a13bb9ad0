import type { FileHandle } from 'node:fs/promises'
import type { Stats } from 'node:fs'
import { MAX_MODE } from '#contracts/panel/node-files.ts'
import type { HeldFolder } from '../../platform/held-folder.ts'
import { FileFailure, isFull, refusalOf, type FullRefusal } from '../file-failure.ts'
import type { Placing } from '../placing.ts'
import type { ServerRoot } from '../server-root.ts'
import {
  frameOf,
  framesOf,
  type AttributeChange,
  type FileAttributes,
  type FolderEntry,
  type Frame,
  type OpenFlags,
  type SessionAnswer,
  type SessionCall,
} from '../session-wire.ts'
import { kindOf } from '../walk.ts'
import { openAt } from './open-at.ts'
import type { GrowthBound } from '../growth-bound.ts'

const NEW_FOLDER = 0o755
/** More open files or folders of one session are refused. */
const MAX_HANDLES = 64
/** Calls that are answered at once; the next one waits. */
const MAX_RUNNING = 64
const ENTRIES_AT_ONCE = 200
const MILLISECONDS = 1_000

interface OpenFile {
  readonly is: 'file'
  readonly file: FileHandle
  readonly flags: OpenFlags
  readonly isNew: boolean
  /** Its bytes before anything was written to it, as far as they are still there, and now with what is being written. */
  before: number
  size: number
  /** The size that this handle gave it: another one is somebody else's doing. */
  given: number
  /** Where the first write found no storage, and by which refusal. */
  fullAt: number
  fullBy: FullRefusal
  /** The last write to its end: their order is that of the client. */
  lastAppend: Promise<unknown>
}
type Open = OpenFile | { readonly is: 'folder'; readonly entries: AsyncGenerator<FolderEntry> }
type Call<Does extends SessionCall['does']> = Extract<SessionCall, { does: Does }>
type Answered = SessionAnswer | { readonly answer: SessionAnswer; readonly bytes: Buffer }

export interface FileSessionDeps {
  readonly root: ServerRoot
  readonly placing: Placing
  readonly growth: GrowthBound
}

const attributesOf = (stats: Stats): FileAttributes => ({
  kind: kindOf(stats),
  size: stats.size,
  mode: stats.mode & MAX_MODE,
  mtimeMs: stats.mtimeMs,
  atimeMs: stats.atimeMs,
})

async function* entriesOf(folder: HeldFolder): AsyncGenerator<FolderEntry> {
  try {
    for await (const name of folder.names()) {
      const stats = await folder.look(name).catch(() => undefined)
      if (stats !== undefined) yield { name: name.toString(), attributes: attributesOf(stats) }
    }
  } finally {
    await folder.close()
  }
}

/** Open files and folders of one connection. It reads and writes in place, as SFTP does: an upload that breaks off can be resumed. */
export class FileSession {
  readonly #deps: FileSessionDeps
  readonly #open = new Map<number, Open>()
  #nextHandle = 1
  /** Opens that are not over: they count as open. */
  #opening = 0

  constructor(deps: FileSessionDeps) {
    this.#deps = deps
  }

  /** Answers the calls of a stream until it ends, and then closes whatever is open. */
  async serve(calls: AsyncIterable<Buffer>, send: (frame: Buffer) => void): Promise<void> {
    const running = new Set<Promise<void>>()
    try {
      for await (const frame of framesOf<SessionCall>(calls)) {
        // A call after a close must find the handle closed, and a close the calls before it written.
        if (frame.value.does === 'close') await Promise.all(running)
        const work = this.#answer(frame, send).finally(() => running.delete(work))
        running.add(work)
        if (frame.value.does === 'close' || running.size >= MAX_RUNNING) await Promise.race(running)
      }
    } finally {
      await Promise.all(running)
      for (const handle of this.#open.keys()) await this.#close(handle).catch(() => {})
    }
  }

  async #answer({ id, value, bytes }: Frame<SessionCall>, send: (frame: Buffer) => void): Promise<void> {
    try {
      const answered = await this.#do(value, bytes)
      send('answer' in answered ? frameOf(id, answered.answer, answered.bytes) : frameOf(id, answered))
    } catch (error) {
      send(frameOf(id, { refusal: refusalOf(error) }))
    }
  }

  #do(call: SessionCall, bytes: Buffer): Promise<Answered> {
    switch (call.does) {
      case 'stat':
        return this.#stat(call.path)
      case 'open':
        return this.#counted(() => this.#openFile(call))
      case 'read':
        return this.#read(call)
      case 'write':
        return this.#write(call, bytes)
      case 'close':
        return this.#close(call.handle)
      case 'stat handle':
        return this.#file(call.handle)
          .file.stat()
          .then((stats) => ({ attributes: attributesOf(stats) }))
      case 'change handle':
        return this.#changeHandle(call)
      case 'change':
        return this.#change(call)
      default:
        return this.#doInFolders(call)
    }
  }

  async #doInFolders(
    call: Exclude<
      SessionCall,
      Call<'stat' | 'open' | 'read' | 'write' | 'close' | 'stat handle' | 'change handle' | 'change'>
    >,
  ): Promise<Answered> {
    const { root, placing } = this.#deps
    switch (call.does) {
      case 'open folder':
        return this.#counted(async () => ({
          handle: this.#keep({ is: 'folder', entries: entriesOf(await root.keepFolder(call.path)) }),
        }))
      case 'read folder':
        return { entries: await this.#nextEntries(call.handle) }
      case 'make folder':
        await root.atPlace(call.path, ({ folder, name }) => folder.makeFolder(name, NEW_FOLDER))
        return {}
      case 'remove folder':
        await root.atPlace(call.path, ({ folder, name }) => folder.removeFolder(name))
        return {}
      case 'remove file':
        await root.atPlace(call.path, ({ folder, name }) => folder.unlink(name))
        return {}
      case 'rename':
        await root.atPlace(call.from, (source) =>
          root.atPlace(call.to, (target) =>
            placing.alone(() => placing.place({ ...source, at: call.from }, { ...target, at: call.to })),
          ),
        )
        return {}
      case 'measured':
        this.#deps.growth.measured(call)
        return {}
      case 'read link':
        return root.atPlace(call.path, async ({ folder, name }) => ({
          target: (await folder.readLink(name)).toString(),
        }))
    }
  }

  async #stat(path: string): Promise<SessionAnswer> {
    const { root } = this.#deps
    const stats = path === '' ? await root.inFolder('', (folder) => folder.self()) : await root.look(path)
    return { attributes: attributesOf(stats) }
  }

  async #openFile({ path, flags }: Call<'open'>): Promise<SessionAnswer> {
    const { file, isNew, stats } = await this.#deps.root.atPlace(path, ({ folder, name }) =>
      openAt(folder, name, flags),
    )
    if (file === undefined) throw new FileFailure('NOT_A_FILE')
    try {
      if (isNew && flags.mode !== undefined) await file.chmod(flags.mode & MAX_MODE)
      if (!isNew && flags.writes && flags.truncates) await file.truncate(0)
      // A new file is empty, and of one that is only read the size is known.
      const size = isNew ? 0 : (stats ?? (await file.stat())).size
      const sizes = { before: size, size, given: size }
      const full = { fullAt: Number.POSITIVE_INFINITY, fullBy: 'NO_SPACE' } as const
      const lastAppend = Promise.resolve()
      return { handle: this.#keep({ is: 'file', file, flags, isNew, ...sizes, ...full, lastAppend }), isNew }
    } catch (error) {
      await file.close()
      throw error
    }
  }

  async #read({ handle, at, length }: Call<'read'>): Promise<Answered> {
    const buffer = Buffer.allocUnsafe(length)
    const { bytesRead } = await this.#file(handle).file.read(buffer, 0, length, at)
    return { answer: {}, bytes: buffer.subarray(0, bytesRead) }
  }

  /**
   * Clients send parts side by side. Behind one that found no storage nothing more is written: a file that has its end and a hole
   * before it would look complete.
   */
  async #write({ handle, at }: Call<'write'>, bytes: Buffer): Promise<SessionAnswer> {
    const open = this.#file(handle)
    if (open.flags.appends) return this.#append(open, bytes)
    const end = at + bytes.length
    if (end > open.fullAt) throw new FileFailure(open.fullBy)
    let written = 0
    try {
      this.#grow(open, end)
      while (written < bytes.length) {
        written += (await open.file.write(bytes, written, bytes.length - written, at + written)).bytesWritten
        open.given = Math.max(open.given, at + written)
      }
    } catch (error) {
      noteFull(open, error, at + written)
      throw error
    }
    return {}
  }

  /** To the end that the file has when it is written, so that two who append keep each other's lines. */
  #append(open: OpenFile, bytes: Buffer): Promise<SessionAnswer> {
    const mine = open.lastAppend.then(async () => {
      if (open.fullAt < Number.POSITIVE_INFINITY) throw new FileFailure(open.fullBy)
      let [grown, written] = [0, 0]
      try {
        this.#deps.growth.grow(bytes.length)
        grown = bytes.length
        while (written < bytes.length)
          written += (await open.file.write(bytes, written, bytes.length - written)).bytesWritten
      } catch (error) {
        this.#deps.growth.giveBack(grown - written)
        noteFull(open, error, 0)
        throw error
      }
      return {}
    })
    open.lastAppend = mine.catch(() => {})
    return mine
  }

  async #close(handle: number): Promise<SessionAnswer> {
    const open = this.#open.get(handle)
    this.#open.delete(handle)
    if (open?.is === 'file') await this.#closeFile(open)
    else await open?.entries.return(undefined)
    return {}
  }

  /**
   * Cuts off what was written behind the place without storage, so that a resumed upload goes on from there. Where the server's
   * program or another handle has moved the end of the file meanwhile, everything stays: it would lose their bytes.
   */
  async #closeFile(open: OpenFile): Promise<void> {
    try {
      const end = Math.max(open.before, open.fullAt)
      if (open.flags.appends || open.size <= end) return
      let kept = open.given
      if (open.given > end && (await open.file.stat()).size === open.given) {
        await open.file.truncate(end)
        kept = end
      }
      this.#deps.growth.giveBack(open.size - kept)
    } finally {
      await open.file.close()
    }
  }

  async #changeHandle({ handle, change }: Call<'change handle'>): Promise<SessionAnswer> {
    const open = this.#file(handle)
    if (change.size !== undefined) {
      if (open.flags.appends) open.size = (await open.file.stat()).size
      // OpenSSH's client cuts a file to nothing whose upload it could not resume, with all that had arrived before.
      if (open.fullAt < Number.POSITIVE_INFINITY && change.size < open.before) throw new FileFailure(open.fullBy)
      this.#grow(open, change.size)
      await open.file.truncate(change.size)
      open.size = change.size
      open.given = change.size
      open.before = Math.min(open.before, change.size)
    }
    await applyTo(open.file, change)
    return {}
  }

  async #change({ path, change }: Call<'change'>): Promise<SessionAnswer> {
    const { root } = this.#deps
    if (change.mode !== undefined) {
      const mode = change.mode & MAX_MODE
      await root.atPlace(path, ({ folder, name }) => folder.changeMode(name, mode))
    }
    if (change.size === undefined && change.times === undefined) return {}
    const file = await root.atPlace(path, ({ folder, name }) =>
      change.size === undefined ? folder.anything(name) : folder.fileToWrite(name),
    )
    if (file === undefined) throw new FileFailure('NOT_A_FILE')
    try {
      if (change.size !== undefined) {
        const growth = change.size - (await file.stat()).size
        // A full server must be able to cut its files.
        if (growth > 0) this.#deps.growth.grow(growth)
        await file.truncate(change.size)
      }
      await applyTo(file, { ...(change.times ? { times: change.times } : {}) })
    } finally {
      await file.close()
    }
    return {}
  }

  async #counted(open: () => Promise<SessionAnswer>): Promise<SessionAnswer> {
    if (this.#open.size + this.#opening >= MAX_HANDLES) throw new FileFailure('BUSY')
    this.#opening += 1
    try {
      return await open()
    } finally {
      this.#opening -= 1
    }
  }

  async #nextEntries(handle: number): Promise<FolderEntry[]> {
    const open = this.#open.get(handle)
    if (open?.is !== 'folder') throw new FileFailure('INVALID_REQUEST')
    const found: FolderEntry[] = []
    while (found.length < ENTRIES_AT_ONCE) {
      const { value, done } = await open.entries.next()
      if (done) break
      found.push(value)
    }
    return found
  }

  #keep(open: Open): number {
    const handle = this.#nextHandle
    this.#nextHandle += 1
    this.#open.set(handle, open)
    return handle
  }

  #file(handle: number): OpenFile {
    const open = this.#open.get(handle)
    if (open?.is !== 'file') throw new FileFailure('INVALID_REQUEST')
    return open
  }

  /** Before the bytes are written: the storage is checked for each growth, holes included. */
  #grow(open: OpenFile, size: number): void {
    if (size <= open.size) return
    this.#deps.growth.grow(size - open.size)
    open.size = size
  }
}

/** From here on nothing is written, whichever of the two is full: a later part that happens to fit would leave a hole. */
const noteFull = (open: OpenFile, error: unknown, at: number): void => {
  const code = refusalOf(error)
  if (!isFull(code) || at >= open.fullAt) return
  open.fullAt = at
  open.fullBy = code
}

const applyTo = async (file: FileHandle, { mode, times }: AttributeChange): Promise<void> => {
  if (mode !== undefined) await file.chmod(mode & MAX_MODE)
  if (times !== undefined) await file.utimes(times.atimeMs / MILLISECONDS, times.mtimeMs / MILLISECONDS)
}
