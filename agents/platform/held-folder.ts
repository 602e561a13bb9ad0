import { constants, type BigIntStats, type Dir, type Stats } from 'node:fs'
import fs, { type FileHandle } from 'node:fs/promises'

const { O_APPEND, O_RDONLY, O_RDWR, O_WRONLY, O_CREAT, O_EXCL, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants
/** open(2), O_PATH: a descriptor that only names a file. Node does not export it. */
const O_PATH = 0o10000000
/** One character per byte, so that a name that is not UTF-8 is found again. */
export const BYTES = 'latin1'
const EVERYBODY_BY_UMASK = 0o777

/**
 * A folder held open by its descriptor. Its content is reached through the descriptor and never by path, so that nobody
 * can replace a checked folder by another one or a link. Names are single components: the caller refuses `..` and slashes.
 */
export class HeldFolder {
  readonly #handle: FileHandle

  private constructor(handle: FileHandle) {
    this.#handle = handle
  }

  /** Throws the disk's error: ENOTDIR or ELOOP for a link. */
  static async open(path: string | Buffer): Promise<HeldFolder> {
    return new HeldFolder(await fs.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW))
  }

  /** The folder of a descriptor that this process has inherited. */
  static inherited(fd: number): Promise<HeldFolder> {
    return HeldFolder.open(`/proc/self/fd/${fd}/.`)
  }

  close(): Promise<void> {
    return this.#handle.close()
  }

  /** Its own address while it is open, for calls that take a path. */
  get address(): string {
    return `/proc/self/fd/${this.#handle.fd}/.`
  }

  /** Resolves once the disk has its names, and with them everything that was written before. */
  sync(): Promise<void> {
    return this.#handle.sync()
  }

  self(): Promise<Stats> {
    return this.#handle.stat()
  }

  /** Its names, streamed one by one, however many there are. */
  async *names(): AsyncGenerator<Buffer> {
    const folder: Dir = await fs.opendir(this.#path(), { encoding: BYTES, bufferSize: 256 })
    // The folder is closed at the end, even if the consumer stops early.
    for await (const { name } of folder) yield Buffer.from(name, BYTES)
  }

  /** The names of its folders and of everything else, one character per byte: a million of them fit the memory. */
  async split(): Promise<{ folders: string[]; others: string[] }> {
    const [folders, others]: [string[], string[]] = [[], []]
    const folder: Dir = await fs.opendir(this.#path(), { encoding: BYTES, bufferSize: 1_024 })
    for await (const entry of folder) (entry.isDirectory() ? folders : others).push(entry.name)
    return { folders, others }
  }

  /** The file status of a name; links are not followed. */
  look(name: Buffer): Promise<Stats> {
    return fs.lstat(this.#path(name))
  }

  /** As `look`, with times in nanoseconds. */
  lookClosely(name: Buffer): Promise<BigIntStats> {
    return fs.lstat(this.#path(name), { bigint: true })
  }

  readLink(name: Buffer): Promise<Buffer> {
    return fs.readlink(this.#path(name), { encoding: 'buffer' })
  }

  folder(name: Buffer): Promise<HeldFolder> {
    return HeldFolder.open(this.#path(name))
  }

  /** Runs with an inner folder open. */
  async within<Result>(name: Buffer, run: (folder: HeldFolder) => Promise<Result>): Promise<Result> {
    const folder = await this.folder(name)
    try {
      return await run(folder)
    } finally {
      await folder.close()
    }
  }

  /** Undefined if it is no longer a file. A pipe in its place does not block. */
  async file(name: Buffer): Promise<{ readonly handle: FileHandle; readonly stats: Stats } | undefined> {
    const handle = await fs.open(this.#path(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      const stats = await handle.stat()
      if (stats.isFile()) return { handle, stats }
    } catch (error) {
      await handle.close()
      throw error
    }
    await handle.close()
    return undefined
  }

  /** As `file`, to read and write what is there; with `appends` every write goes to its end. */
  async fileToWrite(name: Buffer, appends = false): Promise<FileHandle | undefined> {
    const mode = appends ? O_APPEND : 0
    return onlyFile(await fs.open(this.#path(name), O_RDWR | O_NOFOLLOW | O_NONBLOCK | mode))
  }

  /** A file or folder, for its times. Undefined for everything else. */
  async anything(name: Buffer): Promise<FileHandle | undefined> {
    const handle = await fs.open(this.#path(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    return (await handle.stat()).isDirectory() ? handle : onlyFile(handle)
  }

  /** A new, empty file to write. Throws EEXIST for whatever has the name, a dangling link included. */
  create(name: Buffer, mode: number, appends = false): Promise<FileHandle> {
    const more = appends ? O_APPEND : 0
    return fs.open(this.#path(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | more, mode)
  }

  makeFolder(name: Buffer, mode = EVERYBODY_BY_UMASK): Promise<void> {
    return fs.mkdir(this.#path(name), mode)
  }

  makeLink(name: Buffer, target: Buffer): Promise<void> {
    return fs.symlink(target, this.#path(name))
  }

  /** Gives the entry the other name; what has it is replaced as rename(2) says. */
  rename(name: Buffer, folder: HeldFolder, newName: Buffer): Promise<void> {
    return fs.rename(this.#path(name), folder.#path(newName))
  }

  /** A second name of the same file. Throws EEXIST, and never follows a link. */
  link(name: Buffer, folder: HeldFolder, newName: Buffer): Promise<void> {
    return fs.link(this.#path(name), folder.#path(newName))
  }

  /** Throws ENOTEMPTY for a folder with something in it, ENOTDIR for a link. */
  removeFolder(name: Buffer): Promise<void> {
    return fs.rmdir(this.#path(name))
  }

  unlink(name: Buffer): Promise<void> {
    return fs.unlink(this.#path(name))
  }

  /** Removes the entry and everything in it. Only for folders that no other program can write to. */
  removeAll(name: Buffer): Promise<void> {
    return fs.rm(this.#path(name), { recursive: true, force: true })
  }

  /** Throws ELOOP for a link: its target keeps its permissions. */
  async changeMode(name: Buffer, mode: number): Promise<void> {
    const handle = await fs.open(this.#path(name), O_PATH | O_NOFOLLOW)
    try {
      if ((await handle.stat()).isSymbolicLink()) throw Object.assign(new Error('a link'), { code: 'ELOOP' })
      await fs.chmod(`/proc/self/fd/${handle.fd}`, mode)
    } finally {
      await handle.close()
    }
  }

  #path(name?: Buffer): Buffer {
    const own = `/proc/self/fd/${this.#handle.fd}`
    return name === undefined ? Buffer.from(`${own}/`) : Buffer.concat([Buffer.from(`${own}/`), name])
  }
}

/** The handle if it is that of a file; otherwise it is closed. */
const onlyFile = async (handle: FileHandle): Promise<FileHandle | undefined> => {
  try {
    if ((await handle.stat()).isFile()) return handle
  } catch (error) {
    await handle.close()
    throw error
  }
  await handle.close()
  return undefined
}
