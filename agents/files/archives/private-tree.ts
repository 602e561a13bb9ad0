import type { FileHandle } from 'node:fs/promises'
import type { HeldFolder } from '../../platform/held-folder.ts'

const FOLDER_MODE = 0o755
const ALWAYS_FOLDER = 0o700
const FILE_MODE = 0o644
const ALWAYS_FILE = 0o600
const PERMISSIONS = 0o777
const MASKED = 0o022
const MILLISECONDS = 1_000

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)
/** Something of the other kind, or a folder, has the place. */
const TAKEN: readonly unknown[] = ['ENOTDIR', 'EISDIR', 'EPERM', 'ENOTEMPTY', 'ELOOP']

export interface TreeEntry {
  readonly parts: readonly string[]
  readonly mode?: number
  readonly mtimeMs?: number
}

/** Fills a new folder that nobody else sees. The folders of the last entry stay open, because the next one is often beside it. */
export class PrivateTree {
  readonly #root: HeldFolder
  readonly #open: { readonly name: string; readonly folder: HeldFolder }[] = []

  constructor(root: HeldFolder) {
    this.#root = root
  }

  /** False if a file has the place of one of the folders. */
  async folder({ parts, mode = FOLDER_MODE }: TreeEntry): Promise<boolean> {
    return this.#unlessTaken(() => this.#enter(parts, (mode & PERMISSIONS) | ALWAYS_FOLDER))
  }

  /** A new file at the place, which an earlier one of the same name loses; false if a folder has it. */
  async file({ parts, mode = FILE_MODE, mtimeMs }: TreeEntry, write: Write): Promise<boolean> {
    const name = Buffer.from(parts.at(-1) ?? '')
    const bits = (mode & PERMISSIONS) | ALWAYS_FILE
    let handle: FileHandle | undefined
    const isMade = await this.#unlessTaken(async () => {
      const folder = await this.#enter(parts.slice(0, -1), FOLDER_MODE)
      handle = await folder.create(name, bits).catch(async (error: unknown) => {
        if (codeOf(error) !== 'EEXIST') throw error
        await folder.unlink(name)
        return folder.create(name, bits)
      })
    })
    if (!isMade || handle === undefined) return false
    try {
      await write(handle)
      // Only these can be missing after the process's mask.
      if ((bits & MASKED) !== 0) await handle.chmod(bits)
      if (mtimeMs !== undefined && mtimeMs > 0) await handle.utimes(mtimeMs / MILLISECONDS, mtimeMs / MILLISECONDS)
    } finally {
      await handle.close()
    }
    return true
  }

  async close(): Promise<void> {
    for (const { folder } of this.#open.splice(0)) await folder.close()
  }

  async #enter(parts: readonly string[], mode: number): Promise<HeldFolder> {
    let kept = 0
    while (kept < this.#open.length && kept < parts.length && this.#open[kept]?.name === parts[kept]) kept += 1
    for (const { folder } of this.#open.splice(kept)) await folder.close()
    for (const [index, name] of parts.entries()) {
      if (index < kept) continue
      const above = this.#open.at(-1)?.folder ?? this.#root
      const isLast = index === parts.length - 1
      await above.makeFolder(Buffer.from(name), isLast ? mode : FOLDER_MODE).catch((error: unknown) => {
        if (codeOf(error) !== 'EEXIST') throw error
      })
      this.#open.push({ name, folder: await above.folder(Buffer.from(name)) })
    }
    return this.#open.at(-1)?.folder ?? this.#root
  }

  async #unlessTaken(run: () => Promise<unknown>): Promise<boolean> {
    try {
      await run()
      return true
    } catch (error) {
      if (TAKEN.includes(codeOf(error))) return false
      throw error
    }
  }
}

type Write = (handle: FileHandle) => Promise<void>
