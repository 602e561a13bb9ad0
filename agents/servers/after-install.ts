import { existsSync } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { ServerLayout } from './layout.ts'

/**
 * Gives everything in the folder to the server's user. Called only while no program of the server runs, so that nothing
 * is replaced by a link between check and change; links themselves are changed and never followed.
 */
const giveTo = async (folder: Buffer, uid: number): Promise<void> => {
  // Names are bytes: as text, one that is not UTF-8 would not be found again.
  for (const bytes of await fs.readdir(folder, { encoding: 'buffer' })) {
    const name = Buffer.concat([folder, Buffer.from('/'), bytes])
    const stats = await fs.lstat(name)
    if (stats.uid !== uid) await fs.lchown(name, uid, uid)
    if (stats.isDirectory()) await giveTo(name, uid)
  }
}

/**
 * Removes npm's cache: the server does not need it, and the node's own cache has the packages (agents/npm). With a
 * `uid`, files that the installation wrote as another user (in a container: as root) are given to the server's user.
 */
export const afterInstall = async (layout: ServerLayout, uid: number | null): Promise<void> => {
  for (const folder of [layout.npm, path.join(layout.root, '.npm')])
    await fs.rm(folder, { recursive: true, force: true })
  // An installation that failed early may not have created the folder.
  if (uid !== null && existsSync(layout.root)) await giveTo(Buffer.from(layout.root), uid)
}
