import { createHash } from 'node:crypto'
import fs from 'node:fs'
import * as z from 'zod'
import type { Disk } from '../platform/disk.ts'
import { AgentError } from '../platform/agent-error.ts'
import { Packument } from './packument.ts'

/** A packument as the registry described it, with the time of that answer. */
const Kept = z.object({ version: z.literal(1), etag: z.string().nullable(), atMs: z.number(), packument: Packument })
export type Kept = z.infer<typeof Kept>

export interface PackumentLimits {
  /** The largest answer that is read. */
  readonly maxBytes: number
  readonly maxTotalBytes: number
  readonly maxCount: number
}

/** The largest packuments of npm's registry have about 20 MB. */
export const PACKUMENT_LIMITS: PackumentLimits = {
  maxBytes: 48 * 1024 * 1024,
  maxTotalBytes: 512 * 1024 * 1024,
  maxCount: 5_000,
}

/** The text of an answer. One beyond the bound is refused as soon as it exceeds it. */
export const boundedText = async (body: NodeJS.ReadableStream, maxBytes: number): Promise<string> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    const piece = Buffer.from(chunk)
    bytes += piece.length
    // Leaving the loop ends the connection.
    if (bytes > maxBytes) throw new AgentError('PACKAGE_REFUSED', "The package's description is too large.")
    chunks.push(piece)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * The descriptions of packages, one file each. Installers choose which ones are requested, so that both the number
 * and the bytes are bounded: those that were requested longest ago are removed.
 */
export class PackumentStore {
  readonly #folder: string
  readonly #disk: Disk
  readonly #limits: PackumentLimits
  /** The bytes of each file; those that were requested longest ago come first. */
  readonly #sizes: Map<string, number>
  #total: number

  constructor(folder: string, disk: Disk, limits: PackumentLimits) {
    this.#folder = folder
    this.#disk = disk
    this.#limits = limits
    disk.makeFolder(folder, 0o700)
    const files = disk
      .list(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => ({ file: `${folder}/${name}`, ...fs.statSync(`${folder}/${name}`) }))
      .sort((a, b) => a.mtimeMs - b.mtimeMs)
    this.#sizes = new Map(files.map(({ file, size }) => [file, size]))
    this.#total = files.reduce((sum, { size }) => sum + size, 0)
  }

  read(name: string): Kept | undefined {
    try {
      return Kept.parse(JSON.parse(this.#disk.read(this.#fileOf(name)) ?? ''))
    } catch {
      return undefined
    }
  }

  keep(name: string, kept: Kept): Packument {
    const [file, text] = [this.#fileOf(name), JSON.stringify(kept)]
    this.#disk.writeAtomically(file, text)
    this.#forget(file)
    const size = Buffer.byteLength(text)
    this.#sizes.set(file, size)
    this.#total += size
    this.#makeRoom()
    return kept.packument
  }

  #fileOf(name: string): string {
    return `${this.#folder}/${createHash('sha256').update(name).digest('hex')}.json`
  }

  #makeRoom(): void {
    for (const file of this.#sizes.keys()) {
      if (this.#sizes.size <= this.#limits.maxCount && this.#total <= this.#limits.maxTotalBytes) return
      this.#disk.remove(file)
      this.#forget(file)
    }
  }

  #forget(file: string): void {
    this.#total -= this.#sizes.get(file) ?? 0
    this.#sizes.delete(file)
  }
}
