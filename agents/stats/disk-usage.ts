import fs from 'node:fs/promises'
import path from 'node:path'
import type { Clock } from '../platform/clock.ts'

const MAX_AGE_MS = 30_000
/** Entries looked at together; more would only wait in libuv's four threads. */
const BATCH = 32
const BLOCK_BYTES = 512

const walk = async (root: string): Promise<number> => {
  const waiting = [root]
  // A file with several names takes its room once.
  const seen = new Set<string>()
  let bytes = 0
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const names = await fs.readdir(folder).catch(() => [])
    for (let at = 0; at < names.length; at += BATCH) {
      const files = names.slice(at, at + BATCH).map((name) => path.join(folder ?? '', name))
      const stats = await Promise.all(files.map((file) => fs.lstat(file).catch(() => undefined)))
      for (const [index, stat] of stats.entries()) {
        const file = files[index]
        if (stat === undefined || file === undefined) continue
        const identity = `${stat.dev}:${stat.ino}`
        if (stat.nlink > 1 && !stat.isDirectory()) {
          if (seen.has(identity)) continue
          seen.add(identity)
        }
        bytes += stat.blocks * BLOCK_BYTES
        if (stat.isDirectory()) waiting.push(file)
      }
    }
  }
  return bytes
}

/** Bytes that folders take on disk, from a walk in the background at most every 30 s. */
export class DiskUsage {
  readonly #clock: Clock
  readonly #known = new Map<string, { bytes: number; atMs: number; walking: boolean }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The last known figure; 0 until the first walk has ended. Symbolic links are not followed. */
  of(folder: string): number {
    const now = this.#clock.now()
    const known = this.#known.get(folder) ?? { bytes: 0, atMs: Number.NEGATIVE_INFINITY, walking: false }
    this.#known.set(folder, known)
    if (!known.walking && now - known.atMs >= MAX_AGE_MS) {
      known.walking = true
      void this.measure(folder)
    }
    return known.bytes
  }

  async measure(folder: string): Promise<number> {
    const bytes = await walk(folder)
    this.#known.set(folder, { bytes, atMs: this.#clock.now(), walking: false })
    return bytes
  }
}
