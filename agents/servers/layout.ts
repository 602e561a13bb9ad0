import path from 'node:path'
import type { ServerFolders } from '../runtime/driver/runtime-driver.ts'

/** `<data>/servers/<identifier>/{root,state,console}` (architecture section 7). */
export interface ServerLayout extends ServerFolders {
  readonly base: string
  readonly identityFile: string
  readonly recordFile: string
  readonly statsFile: string
  /**
   * npm's cache during an installation: owned by the server's user, not part of the customer's files, and removed
   * afterwards.
   */
  readonly npm: string
}

export const serversFolder = (dataFolder: string): string => path.join(dataFolder, 'servers')
export const tombstonesFolder = (dataFolder: string): string => path.join(dataFolder, 'tombstones')

/** Absolute paths of everything that belongs to the server with this identifier. */
export const layoutOf = (dataFolder: string, identifier: string): ServerLayout => {
  const base = path.join(serversFolder(dataFolder), identifier)
  const state = path.join(base, 'state')
  return {
    base,
    root: path.join(base, 'root'),
    state,
    console: path.join(base, 'console'),
    identityFile: path.join(state, 'identity.json'),
    recordFile: path.join(state, 'server.json'),
    statsFile: path.join(state, 'stats.ring'),
    npm: path.join(base, 'npm'),
  }
}
