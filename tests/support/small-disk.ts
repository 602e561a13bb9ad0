import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'

export interface SmallDisk {
  /** Takes every byte that is left. */
  fill(): void
  /** Releases the space that `fill` took. */
  makeRoom(): void
  remove(): void
}

/** A real disk of a few MiB in memory, mounted at `folder`. Needs root, as the servers' own users do. */
export function mountSmallDisk(folder: string, sizeMiB: number): SmallDisk {
  mkdirSync(folder, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMiB}m,mode=0711`, 'tmpfs', folder])
  const filling = path.join(folder, 'filling')
  return {
    fill: () => {
      const file = openSync(filling, 'a')
      try {
        for (const size of [65_536, 4_096, 1]) {
          const block = Buffer.alloc(size)
          for (let written = size; written === size;) written = takeSome(file, block)
        }
      } finally {
        closeSync(file)
      }
    },
    makeRoom: () => rmSync(filling, { force: true }),
    remove: () => void execFileSync('umount', ['-l', folder]),
  }
}

/** 0 when the disk takes nothing. */
const takeSome = (file: number, block: Buffer): number => {
  try {
    return writeSync(file, block)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return 0
    throw error
  }
}
