import fs from 'node:fs/promises'
import path from 'node:path'
import type { ServerLayout } from './layout.ts'

/**
 * Gives everything in the folder to the server's user. Only called while no program of the server runs, so nothing is
 * exchanged for a link between the look and the change; links themselves are changed and never followed.
 */
const giveTo = async (folder: string, uid: number): Promise<void> => {
  for (const entry of await fs.readdir(folder, { withFileTypes: true })) {
    const name = path.join(folder, entry.name)
    const { uid: owner } = await fs.lstat(name)
    if (owner !== uid) await fs.lchown(name, uid, uid)
    if (entry.isDirectory()) await giveTo(name, uid)
  }
}

/**
 * Takes npm's cache away again: it would count as the customer's disk space and is of no use to the server. With a `uid`,
 * what the installation wrote as another user (in a container: as root) becomes the server's own.
 */
export const afterInstall = async (layout: ServerLayout, uid: number | null): Promise<void> => {
  await fs.rm(path.join(layout.root, '.npm'), { recursive: true, force: true })
  if (uid !== null) await giveTo(layout.root, uid)
}
