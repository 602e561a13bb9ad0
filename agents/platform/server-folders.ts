import fs from 'node:fs'
import type { ServerLayout } from '../servers/layout.ts'

/** Makes the customer's folder with the server's user as its owner; what is in it is left as it is. */
export const prepareRoot = (layout: ServerLayout, uid: number, ownUser: boolean): void => {
  if (fs.existsSync(layout.root)) return
  fs.mkdirSync(layout.root, { recursive: true, mode: 0o700 })
  if (ownUser) fs.chownSync(layout.root, uid, uid)
}

/** Owner of the folder, or undefined when there is none. */
export const ownerOf = (folder: string): number | undefined => fs.statSync(folder, { throwIfNoEntry: false })?.uid
