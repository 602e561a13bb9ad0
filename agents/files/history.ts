import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { EDITABLE_BYTES, KEPT_VERSIONS, type FileVersion } from '#contracts/panel/node-files.ts'
import type { IdSource } from '#platform/ids.ts'
import type { HeldFolder } from '../platform/held-folder.ts'
import { FileFailure } from './file-failure.ts'
import type { OwnArea } from './own-area.ts'
import type { Place } from './server-root.ts'

/** `<time of saving>-<id>`: names sort by time until the year 2286. */
const NAME = /^(\d{13})-[0-9a-f-]{36}$/

const keyOf = (path: string): Buffer => Buffer.from(createHash('sha256').update(path).digest('hex').slice(0, 32))

/** The last versions of files that were saved in the editor: the replaced file itself under a second name, and no copy. */
export class History {
  readonly #area: OwnArea
  readonly #ids: IdSource
  readonly #now: () => number

  constructor({ area, ids, now }: { area: OwnArea; ids: IdSource; now: () => number }) {
    this.#area = area
    this.#ids = ids
    this.#now = now
  }

  /**
   * Keeps the file that is about to be replaced, and forgets the oldest beyond twenty. A version that cannot be kept,
   * because it is too large or belongs to another user, does not stop the save.
   */
  async keep(path: string, { folder, name }: Place): Promise<void> {
    const key = keyOf(path)
    try {
      if ((await folder.look(name)).size > EDITABLE_BYTES) return
      await this.#area.history.makeFolder(key, 0o700).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
      await this.#area.history.within(key, async (versions) => {
        await folder.link(name, versions, Buffer.from(`${this.#now()}-${this.#ids.next()}`))
        for (const old of (await namesOf(versions)).slice(KEPT_VERSIONS)) await versions.unlink(Buffer.from(old))
      })
    } catch {
      // The save is worth more than its history.
    }
  }

  /** Newest first; none for a file that was never saved here. */
  async list(path: string): Promise<FileVersion[]> {
    const found = await this.#area.history
      .within(keyOf(path), async (versions) => {
        const all: FileVersion[] = []
        for (const id of await namesOf(versions)) {
          const { size } = await versions.look(Buffer.from(id))
          all.push({ id, bytes: size, savedAtMs: Number(NAME.exec(id)?.[1]) })
        }
        return all
      })
      .catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        throw error
      })
    return found
  }

  /** The content of a version; the caller closes it. */
  open(path: string, id: string): Promise<FileHandle> {
    if (!NAME.test(id)) throw new FileFailure('NOT_FOUND')
    return this.#area.history.within(keyOf(path), async (versions) => {
      const file = await versions.file(Buffer.from(id))
      if (file === undefined) throw new FileFailure('NOT_FOUND')
      return file.handle
    })
  }
}

const namesOf = async (versions: HeldFolder): Promise<string[]> => {
  const names: string[] = []
  for await (const name of versions.names()) if (NAME.test(name.toString())) names.push(name.toString())
  return names.sort().reverse()
}
