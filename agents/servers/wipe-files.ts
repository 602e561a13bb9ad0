import fs from 'node:fs/promises'
import type { ServerLayout } from './layout.ts'

const isThere = (folder: string): Promise<boolean> =>
  fs.lstat(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )

/**
 * Removes the customer's folder with everything in it, and nothing beside it: the bin is in the node's own area. The
 * folder leaves its place as a whole first, so that the server has all of its files or none, whenever the agent ends.
 * `release` ends whatever works on the files: before, and once more because a process that began meanwhile may hold
 * the folder open and exchange names under the removal.
 */
export const wipeFiles = async ({ root }: Pick<ServerLayout, 'root'>, release: () => Promise<void>): Promise<void> => {
  const leaving = `${root}.leaving`
  await release()
  if (await isThere(root)) {
    // What an earlier removal left that was interrupted.
    await fs.rm(leaving, { recursive: true, force: true })
    await fs.rename(root, leaving)
  }
  await release()
  await fs.rm(leaving, { recursive: true, force: true })
}
