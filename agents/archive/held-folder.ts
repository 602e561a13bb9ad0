import { constants, type Dir, type Stats } from 'node:fs'
import fs, { type FileHandle } from 'node:fs/promises'

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants
/** One character for each byte: a name that is no UTF-8 is still found again. */
const BYTES = 'latin1'

/**
 * A folder that is held open. What is in it is reached through the held one and never through its path, so that nobody can put
 * another folder, or a link, in the place of one that was already looked at.
 */
export class HeldFolder {
  readonly #handle: FileHandle

  private constructor(handle: FileHandle) {
    this.#handle = handle
  }

  /** Throws what the disk throws: ENOTDIR or ELOOP for a link. */
  static async open(path: string | Buffer): Promise<HeldFolder> {
    return new HeldFolder(await fs.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW))
  }

  close(): Promise<void> {
    return this.#handle.close()
  }

  /** The names in it, one after another, however many there are. */
  async *names(): AsyncGenerator<Buffer> {
    const folder: Dir = await fs.opendir(this.#path(), { encoding: BYTES, bufferSize: 256 })
    // Ends with the folder closed, also when whoever asks goes away.
    for await (const { name } of folder) yield Buffer.from(name, BYTES)
  }

  /** What the name stands for; a link stands for itself. */
  look(name: Buffer): Promise<Stats> {
    return fs.lstat(this.#path(name))
  }

  readLink(name: Buffer): Promise<Buffer> {
    return fs.readlink(this.#path(name), { encoding: 'buffer' })
  }

  folder(name: Buffer): Promise<HeldFolder> {
    return HeldFolder.open(this.#path(name))
  }

  /** Undefined when it is no file any more. A pipe that took its place holds up nobody. */
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
