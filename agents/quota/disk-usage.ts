import type { Dir } from 'node:fs'
import fs from 'node:fs/promises'
import type { Clock } from '#platform/clock.ts'
import { BYTES } from '../platform/held-folder.ts'

const MAX_AGE_MS = 30_000
/** A slow folder is measured more rarely: at most a fiftieth of the time is spent on it. */
const AGE_FOR_WALK = 50
/** Entries read concurrently; more would only wait for libuv's four threads. */
const BATCH = 32
const BLOCK_BYTES = 512

const SLASH = Buffer.from('/')
const below = (folder: Buffer | undefined, name: Buffer): Buffer => Buffer.concat([folder ?? SLASH, SLASH, name])

/** The names in a folder, a few at a time: one with a million entries takes no more memory. Nothing of a folder that is gone. */
async function* namesIn(folder: Buffer): AsyncGenerator<Buffer[]> {
  const opened: Dir | undefined = await fs
    .opendir(folder, { encoding: BYTES, bufferSize: BATCH })
    .catch(() => undefined)
  if (opened === undefined) return
  let names: Buffer[] = []
  for await (const { name } of opened) {
    names.push(Buffer.from(name, BYTES))
    if (names.length < BATCH) continue
    yield names
    names = []
  }
  yield names
}

const walk = async (root: string): Promise<number> => {
  // Names are bytes: as text, one that is not UTF-8 would not be found again.
  const waiting: Buffer[] = [Buffer.from(root)]
  // A file with several names takes its space once.
  const seen = new Set<string>()
  let bytes = 0
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for await (const names of namesIn(folder)) {
      const files = names.map((name) => below(folder, name))
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

interface Known {
  readonly bytes: number
  readonly dueAtMs: number
  readonly isWaiting: boolean
  /** Walks that have ended. */
  readonly walks: number
  /** The begin of the last one. */
  readonly walkedAtMs: number
}

const UNKNOWN: Known = { bytes: 0, dueAtMs: Number.NEGATIVE_INFINITY, isWaiting: false, walks: 0, walkedAtMs: 0 }

/** Bytes that folders take on disk, from walks in the background: one at a time, each folder at most every 30 s. */
export class DiskUsage {
  readonly #clock: Clock
  readonly #known = new Map<string, Known>()
  #walks: Promise<unknown> = Promise.resolve()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The last known size; 0 until the first walk has ended. Symbolic links are not followed. */
  of(folder: string): number {
    const known = this.#known.get(folder) ?? UNKNOWN
    if (!known.isWaiting && this.#clock.now() >= known.dueAtMs) {
      this.#known.set(folder, { ...known, isWaiting: true })
      this.#walks = this.#walks.then(() => this.measure(folder)).catch(() => this.#known.delete(folder))
    }
    return known.bytes
  }

  /** How often the folder was measured: another number means another measurement. */
  walksOf(folder: string): number {
    return this.#known.get(folder)?.walks ?? 0
  }

  /** The begin of the last measurement; the folder may have grown since. */
  walkedAtMs(folder: string): number {
    return this.#known.get(folder)?.walkedAtMs ?? 0
  }

  async measure(folder: string): Promise<number> {
    const startedAtMs = this.#clock.now()
    const bytes = await walk(folder)
    const tookMs = Math.max(0, this.#clock.now() - startedAtMs)
    const dueAtMs = this.#clock.now() + Math.max(MAX_AGE_MS, tookMs * AGE_FOR_WALK)
    const walks = (this.#known.get(folder)?.walks ?? 0) + 1
    this.#known.set(folder, { bytes, dueAtMs, isWaiting: false, walks, walkedAtMs: startedAtMs })
    return bytes
  }

  forget(folder: string): void {
    this.#known.delete(folder)
  }
}
