import fs from 'node:fs'
import type { ServerLayout } from './layout.ts'

/**
 * Creates the customer's folder, and that of the installation, with the server's user as its owner; existing content
 * stays.
 */
export const prepareRoot = (layout: ServerLayout, uid: number, ownUser: boolean): void => {
  for (const folder of [layout.root, layout.npm]) {
    if (fs.existsSync(folder)) continue
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (ownUser) fs.chownSync(folder, uid, uid)
  }
}

/** Owner of the folder, or undefined when there is none. */
export const ownerOf = (folder: string): number | undefined => fs.statSync(folder, { throwIfNoEntry: false })?.uid
