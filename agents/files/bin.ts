import * as z from 'zod'
import { BIN_DAYS, BIN_PART, BinEntry, ENTRY_KINDS } from '#contracts/panel/node-files.ts'
import type { IdSource } from '#platform/ids.ts'
import type { HeldFolder } from '../platform/held-folder.ts'
import { besideTaken } from './beside-taken.ts'
import { FileFailure, resultOf } from './file-failure.ts'
import type { FileFaultPoint } from './file-faults.ts'
import type { OwnArea } from './own-area.ts'
import { readJson, type Placing } from './placing.ts'
import type { Place, ServerRoot } from './server-root.ts'
import { isMissing, removeTree } from './remove-tree.ts'
import { kindOf, walk } from './walk.ts'

const ABOUT = Buffer.from('about.json')
/** The record of something replaced once it stays in the bin: written before, so that it needs no storage then. */
const KEPT_ABOUT = Buffer.from('about.kept')
const CONTENT = Buffer.from('content')
const KEPT_MS = BIN_DAYS * 24 * 3_600_000
const BLOCK_BYTES = 512
/** Records that are read at once. */
const READ_AT_ONCE = 16
/** Before a path of the node's own area in the journal: no path of a server begins with a slash. */
const OWN = '/bin/'

const About = z.object({
  version: z.literal(1),
  path: z.string(),
  kind: z.enum(ENTRY_KINDS),
  bytes: z.number(),
  deletedAtMs: z.number(),
  /** Here for a moment only, until somebody has looked at it: the next worker puts it back. */
  isHeld: z.boolean().optional(),
  /** Held while something else takes its place: it stays in the bin once that has it. */
  isReplaced: z.boolean().optional(),
})
type About = z.infer<typeof About>

interface BinDeps {
  readonly root: ServerRoot
  readonly area: OwnArea
  readonly placing: Placing
  readonly ids: IdSource
  readonly faults: FileFaultPoint
  readonly now: () => number
}

/**
 * Deleted files and folders, each in a folder with its record. The record is written first, so that everything in the bin has
 * one; a record without content comes from an interrupted deletion, and is removed.
 */
export class Bin {
  readonly #deps: BinDeps

  constructor(deps: BinDeps) {
    this.#deps = deps
  }

  /** Newest first. */
  async list(): Promise<BinEntry[]> {
    const names: Buffer[] = []
    for await (const name of this.#deps.area.bin.names()) names.push(name)
    const entries: BinEntry[] = []
    for (let at = 0; at < names.length; at += READ_AT_ONCE) {
      const some = names.slice(at, at + READ_AT_ONCE)
      const read = await Promise.all(some.map(async (name) => ({ name, entry: await this.#entry(name) })))
      for (const { name, entry } of read) {
        if (entry !== undefined) entries.push(entry)
        else await this.#deps.placing.alone(async () => this.#removeWithoutContent(name))
      }
    }
    return entries.sort((one, other) => other.deletedAtMs - one.deletedAtMs)
  }

  /**
   * Moves something to the bin, whose bounds the next `sweep` restores. Throws `BIN_TOO_SMALL` for what would exceed the bin's part of the
   * storage by itself.
   */
  async take(path: string, limitBytes: number): Promise<void> {
    await this.#take(path, { mostBytes: limitBytes * BIN_PART })
  }

  /**
   * Deletes something for good if it is what `isIt` expects, and says whether it was. It is in the bin while `isIt` looks at it, so that
   * nobody changes it by its path; otherwise, and after an interruption, it is put back.
   */
  async removeIf(path: string, isIt: (place: Place) => Promise<boolean>): Promise<boolean> {
    const id = await this.#take(path, { mostBytes: Number.POSITIVE_INFINITY, isHeld: true })
    const is = await this.#deps.area.bin
      .within(id, (folder) => isIt({ folder, name: CONTENT }))
      // It could not be looked at, so nobody knows.
      .catch(() => false)
    await (is ? this.remove(id) : this.#putBack(id))
    return is
  }

  /**
   * Moves something to the bin while `place` puts another thing there. It is put back if that fails, also after an interruption. Throws
   * as `take` and as `place`.
   */
  async exchange<Result>(path: string, limitBytes: number, place: () => Promise<Result>): Promise<Result> {
    const id = await this.#take(path, { mostBytes: limitBytes * BIN_PART, isHeld: true, isReplaced: true })
    try {
      return await place()
    } finally {
      // Without a record of it now, the next worker does the same.
      await this.#putBackOrKeep(id)
        .then(async () => void (await this.sweep(limitBytes)))
        .catch(() => {})
    }
  }

  /** Puts back what an interrupted worker held. */
  async recover(): Promise<void> {
    for await (const id of this.#deps.area.bin.names()) {
      const about = await this.#about(id)
      if (about?.isHeld !== true) continue
      await (about.isReplaced === true ? this.#putBackOrKeep(id) : this.#putBack(id)).catch(() => {})
    }
  }

  async #take(
    path: string,
    { mostBytes, ...held }: { mostBytes: number; isHeld?: true; isReplaced?: true },
  ): Promise<Buffer> {
    const { root, area, placing, ids, now, faults } = this.#deps
    const id = Buffer.from(ids.next())
    await root.atPlace(path, async ({ folder, name }) => {
      const stats = await folder.look(name)
      const bytes = stats.isDirectory() ? await sizeOf(folder, name) : stats.blocks * BLOCK_BYTES
      if (bytes > mostBytes) throw new FileFailure('BIN_TOO_SMALL')
      await placing.alone(async () => {
        await area.bin.makeFolder(id, 0o700)
        await faults('bin.made')
        await area.bin
          .within(id, async (own) => {
            const record: About = { version: 1, path, kind: kindOf(stats), bytes, deletedAtMs: now() }
            await writeAbout(own, ABOUT, { ...record, ...held })
            if (held.isReplaced === true) await writeAbout(own, KEPT_ABOUT, record)
            await faults('bin.recorded')
            await folder.rename(name, own, CONTENT)
            await faults('bin.taken')
          })
          .catch(async (error: unknown) => {
            await this.#removeWithoutContent(id)
            throw error
          })
      })
    })
    return id
  }

  /** Puts something back, and never over something else. Returns its path. */
  async restore(id: string, to?: string): Promise<string> {
    const own = Buffer.from(id)
    const entry = await this.#entry(own)
    if (entry === undefined) throw new FileFailure('NOT_FOUND')
    const path = to ?? entry.path
    await this.#place(own, path)
    return path
  }

  /** The names of all entries, also of damaged ones, or of those with these ids; nothing that is held for a moment only. */
  async names(ids?: readonly string[]): Promise<Buffer[]> {
    const wanted = ids === undefined ? undefined : new Set(ids)
    const names: Buffer[] = []
    for await (const name of this.#deps.area.bin.names()) {
      if (wanted?.has(name.toString()) === false) continue
      if ((await this.#about(name))?.isHeld !== true) names.push(name)
    }
    return names
  }

  /**
   * Removes what is older than seven days, and then the oldest until the bin fits its part of the storage. Returns the entries that are left,
   * newest first.
   */
  async sweep(limitBytes: number): Promise<BinEntry[]> {
    let bytes = 0
    const kept: BinEntry[] = []
    for (const entry of await this.list()) {
      bytes += entry.bytes
      const isOver = bytes > limitBytes * BIN_PART || this.#deps.now() - entry.deletedAtMs > KEPT_MS
      if (isOver) await this.remove(Buffer.from(entry.id))
      else kept.push(entry)
    }
    return kept
  }

  /** The place that a name of the journal means, if it is one of the bin. */
  async inPlace(at: string, run: (place: { folder: HeldFolder; name: Buffer }) => Promise<void>): Promise<boolean> {
    if (!at.startsWith(OWN)) return false
    await this.#deps.area.bin.within(Buffer.from(at.slice(OWN.length)), (folder) => run({ folder, name: CONTENT }))
    return true
  }

  async #place(id: Buffer, path: string): Promise<void> {
    const { root, area, placing, faults } = this.#deps
    await area.bin.within(id, (folder) =>
      root.atMadePlace(path, (target) =>
        placing.alone(() =>
          placing.place({ folder, name: CONTENT, at: `${OWN}${id.toString()}` }, { ...target, at: path }),
        ),
      ),
    )
    await faults('restore.placed')
    await area.bin.removeAll(id)
  }

  /** Back to its path, or under the next number beside what has that meanwhile. */
  async #putBack(id: Buffer): Promise<void> {
    const about = await this.#about(id)
    if (about === undefined) return
    await besideTaken(about.path, (path) => this.#place(id, path))
  }

  /** Back to its path, or into the bin like everything that was deleted if something has that path. */
  async #putBackOrKeep(id: Buffer): Promise<void> {
    const about = await this.#about(id)
    if (about === undefined) return
    const refusal = await resultOf(() => this.#place(id, about.path))
    if (refusal === null) return
    await this.#deps.faults('bin.keeping')
    await this.#deps.area.bin.within(id, (own) => own.rename(KEPT_ABOUT, own, ABOUT))
  }

  /** The record of everything in the bin that has content. */
  async #about(name: Buffer): Promise<About | undefined> {
    const found = await this.#deps.area.bin
      .within(name, async (folder) => {
        await folder.look(CONTENT)
        return About.safeParse(await readJson(folder, ABOUT))
      })
      .catch(() => undefined)
    return found?.success === true ? found.data : undefined
  }

  async #entry(name: Buffer): Promise<BinEntry | undefined> {
    const about = await this.#about(name)
    if (about === undefined || about.isHeld === true) return undefined
    const { path, kind, bytes, deletedAtMs } = about
    const entry = BinEntry.safeParse({ id: name.toString(), path, kind, bytes, deletedAtMs })
    return entry.success ? entry.data : undefined
  }

  /**
   * Removes an entry for good. One rename takes it out of the bin, so that an interruption leaves no half of it there. `removed` is called for
   * each of its files and folders.
   */
  async remove(name: Buffer, removed: () => void = () => {}): Promise<void> {
    const { area, faults } = this.#deps
    const isGone = await area.bin.rename(name, area.parts, name).then(() => false, isMissing)
    // Another sweep removes it, and two removals of one tree would disturb each other.
    if (isGone) return
    await faults('bin.leaving')
    await removeTree(area.parts, name, removed)
  }

  async #removeWithoutContent(name: Buffer): Promise<void> {
    const { bin } = this.#deps.area
    const hasContent = await bin
      .within(name, (folder) => folder.look(CONTENT))
      .then(
        () => true,
        () => false,
      )
    if (!hasContent) await bin.removeAll(name)
  }
}

const writeAbout = async (folder: HeldFolder, name: Buffer, record: About): Promise<void> => {
  const about = await folder.create(name, 0o600)
  try {
    await about.writeFile(JSON.stringify(record))
  } finally {
    await about.close()
  }
}

const sizeOf = (parent: HeldFolder, name: Buffer): Promise<number> =>
  parent.within(name, async (folder) => {
    let bytes = 0
    for await (const { stats } of walk(folder)) bytes += stats.blocks * BLOCK_BYTES
    return bytes
  })
