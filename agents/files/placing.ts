import * as z from 'zod'
import type { HeldFolder } from '../platform/held-folder.ts'
import { FileFailure } from './file-failure.ts'
import type { FileFaultPoint } from './file-faults.ts'
import type { OwnArea } from './own-area.ts'
import type { Place } from './server-root.ts'

const JOURNAL = Buffer.from('moving.json')
const Moving = z.object({ from: z.string(), to: z.string(), ino: z.number() })

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)
/** Disks without a second name for a file, and files of which the user may make none. */
const CANNOT_LINK: readonly unknown[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'EXDEV']

/** Throws `ALREADY_EXISTS` if something has the place. */
export const refuseTaken = async ({ folder, name }: Place): Promise<void> => {
  const isTaken = await folder.look(name).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT') return false
      throw error
    },
  )
  if (isTaken) throw new FileFailure('ALREADY_EXISTS')
}

/** Where a place is for the journal: a path of the server, or of the node's own area with its mark before it. */
export interface Journalled extends Place {
  readonly at: string
}

/**
 * Gives things their place without ever replacing what has it. Linux has no rename that refuses, in Node: a file gets a second
 * name, which the kernel refuses where something is, and then loses the first one. A journal ends what an interruption left
 * with two names. A folder is renamed: onto an empty folder at most.
 */
export class Placing {
  readonly #area: OwnArea
  readonly #faults: FileFaultPoint
  #last: Promise<unknown> = Promise.resolve()

  constructor(area: OwnArea, faults: FileFaultPoint) {
    this.#area = area
    this.#faults = faults
  }

  /** One after the other: of two who want one name, the second is refused. */
  alone<Result>(run: () => Promise<Result>): Promise<Result> {
    const mine = this.#last.then(run, run)
    this.#last = mine.catch(() => {})
    return mine
  }

  /** Call within `alone`. Throws `ALREADY_EXISTS`. */
  async place(source: Journalled, target: Journalled): Promise<void> {
    const stats = await source.folder.look(source.name)
    if (!stats.isDirectory()) {
      try {
        return await this.#link(source, target, stats.ino)
      } catch (error) {
        if (!CANNOT_LINK.includes(codeOf(error))) throw error
      }
    }
    await refuseTaken(target)
    await this.#faults('place.renaming')
    await source.folder.rename(source.name, target.folder, target.name)
  }

  /** As `place`, without a journal: for a source that is placed again after an interruption. */
  async placeNew(source: Place, target: Place): Promise<void> {
    try {
      await source.folder.link(source.name, target.folder, target.name)
    } catch (error) {
      if (!CANNOT_LINK.includes(codeOf(error))) throw error
      await refuseTaken(target)
      return source.folder.rename(source.name, target.folder, target.name)
    }
    return source.folder.unlink(source.name)
  }

  /** Ends an interrupted move: `inPlace` opens a place by its journal's name. */
  async recover(inPlace: (at: string, run: (place: Place) => Promise<void>) => Promise<void>): Promise<void> {
    const moving = Moving.safeParse(await readJson(this.#area.folder, JOURNAL))
    if (moving.success) {
      const { from, to, ino } = moving.data
      const isIt = async ({ folder, name }: Place): Promise<boolean> => (await folder.look(name)).ino === ino
      await inPlace(to, async (target) => {
        if (!(await isIt(target))) return
        await inPlace(from, async (source) => {
          if (await isIt(source)) await source.folder.unlink(source.name)
        })
      }).catch(() => {})
    }
    await this.#area.folder.removeAll(JOURNAL)
  }

  async #link(source: Journalled, target: Journalled, ino: number): Promise<void> {
    try {
      await this.#writeJournal({ from: source.at, to: target.at, ino })
      await this.#faults('place.journalled')
      await source.folder.link(source.name, target.folder, target.name)
      await this.#faults('place.linked')
      await source.folder.unlink(source.name)
      await this.#faults('place.unlinked')
    } finally {
      await this.#area.folder.removeAll(JOURNAL)
    }
  }

  async #writeJournal(moving: z.infer<typeof Moving>): Promise<void> {
    await this.#area.folder.removeAll(JOURNAL)
    const handle = await this.#area.folder.create(JOURNAL, 0o600)
    try {
      await handle.writeFile(JSON.stringify(moving))
    } finally {
      await handle.close()
    }
  }
}

const MAX_RECORD_BYTES = 64 * 1024

/** A record of the node's own area; undefined if it is missing or damaged. */
export const readJson = async (folder: HeldFolder, name: Buffer): Promise<unknown> => {
  const file = await folder.file(name).catch(() => undefined)
  if (file === undefined) return undefined
  try {
    if (file.stats.size > MAX_RECORD_BYTES) return undefined
    const value: unknown = JSON.parse(await file.handle.readFile('utf8'))
    return value
  } catch {
    return undefined
  } finally {
    await file.handle.close()
  }
}
