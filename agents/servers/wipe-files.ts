import fs from 'node:fs/promises'
import path from 'node:path'
import { removeTree } from '../platform/remove-tree.ts'
import type { ServerLayout } from './layout.ts'

type Wiped = Pick<ServerLayout, 'root' | 'files'>

const isThere = (folder: string): Promise<boolean> =>
  fs.lstat(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )

/**
 * Removes the customer's folder with everything in it, earlier versions and unfinished uploads, and nothing beside them:
 * the bin is in the node's own area. The folder leaves its place as a whole first, so that the server has all of its
 * files or none, whenever the agent ends. `release` ends whatever works on the files: before, and once more because a
 * process that began meanwhile may hold the folder open and exchange names under the removal. Throws
 * `FILES_NOT_REMOVED`; the next call continues.
 */
export const wipeFiles = async ({ root, files }: Wiped, release: () => Promise<void>): Promise<void> => {
  const leaving = `${root}.leaving`
  await release()
  if (await isThere(root)) {
    // An interrupted removal may have left it.
    await removeTree(leaving)
    await fs.rename(root, leaving)
  }
  await release()
  // Earlier versions and unfinished uploads are the customer's content too; the bin stays.
  for (const folder of [leaving, path.join(files, 'history'), path.join(files, 'uploads')]) await removeTree(folder)
}
