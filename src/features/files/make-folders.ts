import { folderOf } from '#contracts/panel/file-path.ts'
import { FileTrouble } from './file-trouble.ts'
import type { NodeFiles } from './node-files.ts'

/** Makes a folder and those above it that are missing, except for those that are known to be there; nothing for the server's own one. */
export const makeFolders = async (
  node: Pick<NodeFiles, 'call'>,
  path: string,
  there: Set<string> = new Set(),
): Promise<void> => {
  const missing: string[] = []
  for (let folder = path; folder !== '' && !there.has(folder); folder = folderOf(folder)) missing.unshift(folder)
  for (const folder of missing) {
    await node.call('create-folder', { path: folder }).catch((error: unknown) => {
      if (!(error instanceof FileTrouble) || error.code !== 'ALREADY_EXISTS') throw error
    })
    there.add(folder)
  }
}
