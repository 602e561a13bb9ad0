import { constants, type Dir, type Stats } from 'node:fs'
import fs, { type FileHandle } from 'node:fs/promises'

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants
/** One character per byte, so that a name that is not UTF-8 is found again. */
const BYTES = 'latin1'

/**
 * A folder held open by its descriptor. Its content is reached through the descriptor and never by path, so that nobody
 * can replace a checked folder by another one or a link.
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

  close(): Promise<void> {
    return this.#handle.close()
  }

  /** Its names, streamed one by one, however many there are. */
  async *names(): AsyncGenerator<Buffer> {
    const folder: Dir = await fs.opendir(this.#path(), { encoding: BYTES, bufferSize: 256 })
    // The folder is closed at the end, even if the consumer stops early.
    for await (const { name } of folder) yield Buffer.from(name, BYTES)
  }

  /** The file status of a name; links are not followed. */
  look(name: Buffer): Promise<Stats> {
    return fs.lstat(this.#path(name))
  }

  readLink(name: Buffer): Promise<Buffer> {
    return fs.readlink(this.#path(name), { encoding: 'buffer' })
  }

  folder(name: Buffer): Promise<HeldFolder> {
    return HeldFolder.open(this.#path(name))
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

  #path(name?: Buffer): Buffer {
    const own = `/proc/self/fd/${this.#handle.fd}`
    return name === undefined ? Buffer.from(`${own}/`) : Buffer.concat([Buffer.from(`${own}/`), name])
  }
}
