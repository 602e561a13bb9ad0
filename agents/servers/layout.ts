import path from 'node:path'
import { FILE_WORKER_RECORD } from '../platform/process-identity.ts'
import type { FilePlace } from '../quota/quota-driver.ts'
import type { ServerFolders } from '../runtime/driver/runtime-driver.ts'

/**
 * `<data>/servers/<identifier>/{root,state,console,files}`; `root` and `files` lie on the server's image where it has one,
 * both below one mount, because nothing can be renamed from one mount to another.
 */
export interface ServerLayout extends ServerFolders, FilePlace {
  readonly base: string
  readonly identityFile: string
  readonly recordFile: string
  readonly statsFile: string
  readonly playersFile: string
  /**
   * npm's cache during an installation: owned by the server's user, not part of the customer's files, and removed
   * afterwards.
   */
  readonly npm: string
  /** The node's own area beside the customer's files (agents/files/own-area.ts), of the server's user too. */
  readonly files: string
  /** The process that works on the files at the moment, for the shim, which ends all others of the server's user. */
  readonly fileWorkerFile: string
  /** Copies, archives and extractions that are not over (agents/files/file-jobs.ts). */
  readonly fileJobsFile: string
}

export const serversFolder = (dataFolder: string): string => path.join(dataFolder, 'servers')
export const tombstonesFolder = (dataFolder: string): string => path.join(dataFolder, 'tombstones')

const IMAGE_NAME = 'storage.ext4'

/** Whether the server whose folder has these entries was made with an image. */
export const hasImage = (entries: readonly string[]): boolean => entries.includes(IMAGE_NAME)

/** Absolute paths of everything that belongs to the server with this identifier. */
export const layoutOf = (dataFolder: string, identifier: string, onImage = false): ServerLayout => {
  const base = path.join(serversFolder(dataFolder), identifier)
  const state = path.join(base, 'state')
  const mountpoint = path.join(base, 'storage')
  const disk = path.join(mountpoint, 'disk')
  return {
    base,
    image: onImage ? { file: path.join(base, IMAGE_NAME), mountpoint, disk } : null,
    root: path.join(onImage ? disk : base, 'root'),
    state,
    console: path.join(base, 'console'),
    identityFile: path.join(state, 'identity.json'),
    recordFile: path.join(state, 'server.json'),
    statsFile: path.join(state, 'stats.ring'),
    playersFile: path.join(state, 'players.ring'),
    npm: path.join(base, 'npm'),
    files: path.join(onImage ? disk : base, 'files'),
    fileWorkerFile: path.join(state, FILE_WORKER_RECORD),
    fileJobsFile: path.join(state, 'file-jobs.json'),
  }
}
