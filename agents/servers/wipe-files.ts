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

/** Earlier versions of files and uploads that are not complete are content of the customer's; the bin stays. */
const contentOf = ({ root, files }: Wiped): string[] => [
  `${root}.leaving`,
  path.join(files, 'history'),
  path.join(files, 'uploads'),
]

/**
 * Removes the customer's folder with everything in it, earlier versions and unfinished uploads, and nothing beside them:
 * the bin is in the node's own area. The folder leaves its place as a whole first, so that the server has all of its
 * files or none, whenever the agent ends. `release` ends whatever works on the files: before, and once more because a
 * process that began meanwhile may hold the folder open and exchange names under the removal. Throws
 * `FILES_NOT_REMOVED`; the next call continues.
 */
export const wipeFiles = async (layout: Wiped, release: () => Promise<void>): Promise<void> => {
  const [leaving = '', ...rest] = contentOf(layout)
  await release()
  if (await isThere(layout.root)) {
    // What an earlier removal left that was interrupted.
    await removeTree(leaving)
    await fs.rename(layout.root, leaving)
  }
  await release()
  for (const folder of [leaving, ...rest]) await removeTree(folder)
}
