import { MAX_PATH_DEPTH } from '#contracts/panel/file-path.ts'
import { BYTES } from '../platform/held-folder.ts'
import type { HeldFolder } from '../platform/held-folder.ts'
import type { Place } from './server-root.ts'

const REMOVED_AT_ONCE = 32

/** Whether the disk says that there is nothing at the path. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Another removal may have taken a thing away meanwhile: it is removed then. */
const orGone = async (run: Promise<void>): Promise<void> => {
  try {
    await run
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

/**
 * Removes an entry and everything in it, and calls `removed` for each file and folder; what it throws ends the work. Only for folders that no
 * other program can write to.
 */
export const removeTree = (folder: HeldFolder, name: Buffer, removed: () => void): Promise<void> =>
  removeAt({ folder, name, depth: 0 }, removed)

type Found = Place & { readonly depth: number }

const removeAt = async ({ folder, name, depth }: Found, removed: () => void): Promise<void> => {
  const stats = await folder.look(name).catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
  if (stats === undefined) return
  // Each level holds a descriptor. A program may have made more of them than a path of ours has.
  if (depth >= MAX_PATH_DEPTH) await folder.removeAll(name)
  else if (stats.isDirectory()) {
    await orGone(folder.within(name, (inner) => emptyFolder(inner, depth + 1, removed)))
    await orGone(folder.removeFolder(name))
  } else await orGone(folder.unlink(name))
  removed()
}

const emptyFolder = async (folder: HeldFolder, depth: number, removed: () => void): Promise<void> => {
  const { folders, others } = await folder.split()
  for (let at = 0; at < others.length; at += REMOVED_AT_ONCE) {
    const some = others.slice(at, at + REMOVED_AT_ONCE)
    await Promise.all(some.map((other) => orGone(folder.unlink(Buffer.from(other, BYTES)))))
    for (let each = 0; each < some.length; each += 1) removed()
  }
  for (const inner of folders) await removeAt({ folder, name: Buffer.from(inner, BYTES), depth }, removed)
}
