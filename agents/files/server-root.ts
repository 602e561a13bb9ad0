import type { FileHandle } from 'node:fs/promises'
import { statfsSync, type BigIntStats, type Stats } from 'node:fs'
import { partsOfPath } from '#contracts/panel/file-path.ts'
import { HeldFolder } from '../platform/held-folder.ts'
import { FileFailure } from './file-failure.ts'

/** The place of something: its open folder, and its name in it. */
export interface Place {
  readonly folder: HeldFolder
  readonly name: Buffer
}

/** The version of a file: another one after every write, also of a program that keeps the file open. */
export const etagOf = ({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  `"${[ino, size, mtimeNs, ctimeNs].map((part) => part.toString(36)).join('-')}"`

const partsOf = (path: string): readonly Buffer[] => {
  const parts = partsOfPath(path)
  if (parts === undefined) throw new FileFailure('INVALID_PATH')
  return parts.map((part) => Buffer.from(part))
}

/**
 * A server's folder, and the only way to anything in it (architecture section 7). A path is walked component by
 * component, each folder opened with O_NOFOLLOW below the one before, so that no link, and nobody who swaps a folder
 * meanwhile, leads out of it. Everything that a program of the server puts there stays data. Paths as in
 * `contracts/panel/file-path.ts`; everything throws `FileFailure` or the disk's own error.
 */
export class ServerRoot {
  readonly #root: HeldFolder

  constructor(root: HeldFolder) {
    this.#root = root
  }

  /** The bytes that are free on the disk of the folder. */
  diskFreeBytes(): number {
    const { bavail, bsize } = statfsSync(this.#root.address)
    return bavail * bsize
  }

  /** Runs with the folder at the path open; the empty path is the server's folder itself. */
  async inFolder<Result>(path: string, run: (folder: HeldFolder) => Promise<Result>): Promise<Result> {
    return this.#in(partsOf(path), run)
  }

  /** The open folder at the path; the caller closes it. */
  async keepFolder(path: string): Promise<HeldFolder> {
    return this.#in(partsOf(path), (folder) => HeldFolder.open(folder.address))
  }

  /** Runs with the place of something that exists or is to be made. Never the server's folder itself. */
  async atPlace<Result>(path: string, run: (place: Place) => Promise<Result>): Promise<Result> {
    const parts = partsOf(path)
    const name = parts.at(-1)
    if (name === undefined) throw new FileFailure('INVALID_PATH')
    return this.#in(parts.slice(0, -1), (folder) => run({ folder, name }))
  }

  /** As `atPlace`, with the folders on the way made where they are missing. */
  async atMadePlace<Result>(path: string, run: (place: Place) => Promise<Result>): Promise<Result> {
    const parts = partsOf(path)
    const name = parts.at(-1)
    if (name === undefined) throw new FileFailure('INVALID_PATH')
    return this.#in(parts.slice(0, -1), (folder) => run({ folder, name }), true)
  }

  look(path: string): Promise<Stats> {
    return this.atPlace(path, ({ folder, name }) => folder.look(name))
  }

  /** The version of the regular file at the path, undefined if nothing has the name. */
  async versionOf({ folder, name }: Place): Promise<BigIntStats | undefined> {
    const stats = await folder.lookClosely(name).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (stats?.isSymbolicLink()) throw new FileFailure('LINK_REFUSED')
    if (stats !== undefined && !stats.isFile()) throw new FileFailure('NOT_A_FILE')
    return stats
  }

  /** The open regular file; the caller closes it. */
  openFile(path: string): Promise<FileHandle> {
    return this.atPlace(path, async ({ folder, name }) => {
      const file = await folder.file(name)
      if (file === undefined) throw new FileFailure('NOT_A_FILE')
      return file.handle
    })
  }

  async #in<Result>(
    parts: readonly Buffer[],
    run: (folder: HeldFolder) => Promise<Result>,
    makes = false,
  ): Promise<Result> {
    const opened: HeldFolder[] = []
    let folder = this.#root
    try {
      for (const part of parts) {
        if (makes) await folder.makeFolder(part).catch(unlessThere)
        folder = await folder.folder(part)
        opened.push(folder)
      }
      return await run(folder)
    } finally {
      for (const each of opened) await each.close()
    }
  }
}

const unlessThere = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EEXIST') throw error
}
