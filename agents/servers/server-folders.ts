import fs from 'node:fs'
import type { Log } from '#platform/logger.ts'
import type { Quotas } from '../quota/catalog.ts'
import type { ServerLayout } from './layout.ts'
import { wipeFiles } from './wipe-files.ts'

/** A server whose program is about to run, or whose size has changed. */
export interface PlacedServer {
  readonly id: string
  readonly uid: number
  readonly layout: ServerLayout
  readonly limitMiB: number
}

interface PlaceDeps {
  readonly quotas: Quotas
  readonly log: Log
  /** Whether each server has a user of its own. */
  readonly ownUser: boolean
  /** Ends whatever works on the server's files. */
  releaseFiles(server: Pick<PlacedServer, 'id' | 'layout'>): Promise<void>
  /** Whether the customer's files go first. */
  readonly wipe: boolean
}

/**
 * Makes the server's files reachable, gives them their size as far as nothing uses them, and creates the customer's folder.
 * Throws an `AgentError` when the files cannot be reached: a program that began without them would write elsewhere.
 */
export const prepareFiles = async (server: PlacedServer, deps: PlaceDeps): Promise<void> => {
  const { id, uid, layout, limitMiB } = server
  const { quotas, log, ownUser, releaseFiles } = deps
  const quota = quotas.of(layout)
  await quota.open(layout)
  if (deps.wipe) await wipeFiles(layout, () => releaseFiles(server))
  const why = await quota.resize(layout, { limitMiB, release: () => releaseFiles(server) })
  if (why !== undefined) log.warn({ serverId: id, limitMiB, why }, 'the storage of a server keeps its size for now')
  prepareRoot(layout, uid, ownUser)
}

/**
 * Creates the customer's folder, and that of the installation, with the server's user as its owner; existing content
 * stays.
 */
const prepareRoot = (layout: ServerLayout, uid: number, ownUser: boolean): void => {
  for (const folder of [layout.root, layout.npm]) {
    if (fs.existsSync(folder)) continue
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (ownUser) fs.chownSync(folder, uid, uid)
  }
}

/** Owner of the folder, or undefined when there is none. */
export const ownerOf = (folder: string): number | undefined => fs.statSync(folder, { throwIfNoEntry: false })?.uid
