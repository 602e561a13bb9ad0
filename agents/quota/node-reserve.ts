import { statfsSync } from 'node:fs'
import type { FilePlace } from './quota-driver.ts'

/** The part of a node's disk that servers never get: the agent, the engine and the databases beside it go on working. */
export const RESERVE_PART = 0.05

/** The reserve of a disk of this size. */
export const reserveOfDisk = ({ blocks, bsize }: { readonly blocks: number; readonly bsize: number }): number =>
  Math.ceil(blocks * bsize * RESERVE_PART)

/** The bytes that stay free on the disk of a server's files. An image has all its bytes since it was made, so that nothing in it grows. */
export const reserveOf = ({ root, image }: FilePlace): number => {
  if (image !== null) return 0
  try {
    return reserveOfDisk(statfsSync(root))
  } catch {
    // Nothing is written to a folder that is not there.
    return 0
  }
}
