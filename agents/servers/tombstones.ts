import * as z from 'zod'
import type { Disk } from '../platform/disk.ts'
import { tombstonesFolder } from './layout.ts'

const Tombstone = z.object({
  version: z.literal(1),
  serverId: z.string(),
  generation: z.number(),
  commandId: z.string(),
})
export type Tombstone = z.infer<typeof Tombstone>

/** Servers deleted from this node: none of them is ever accepted again (rule A11). */
export class Tombstones {
  readonly #disk: Disk
  readonly #folder: string
  readonly #known = new Map<string, Tombstone>()

  constructor(disk: Disk, dataFolder: string) {
    this.#disk = disk
    this.#folder = tombstonesFolder(dataFolder)
  }

  /** Reads them all. Returns a sentence for each unreadable file. */
  load(): string[] {
    this.#disk.makeFolder(this.#folder, 0o700)
    return this.#disk
      .list(this.#folder)
      .filter((entry) => entry.endsWith('.json'))
      .flatMap((name) => {
        try {
          const tombstone = Tombstone.parse(JSON.parse(this.#disk.read(`${this.#folder}/${name}`) ?? ''))
          this.#known.set(tombstone.serverId, tombstone)
          return []
        } catch {
          return [`The tombstone ${name} cannot be read.`]
        }
      })
  }

  find(serverId: string): Tombstone | undefined {
    return this.#known.get(serverId)
  }

  write(tombstone: Omit<Tombstone, 'version'>): void {
    const whole: Tombstone = { version: 1, ...tombstone }
    this.#disk.writeAtomically(`${this.#folder}/${tombstone.serverId}.json`, JSON.stringify(whole))
    this.#known.set(tombstone.serverId, whole)
  }
}
