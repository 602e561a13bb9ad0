import { NO_RESULT, type JobResult } from '#contracts/panel/file-jobs.ts'
import type { NodeFileRequest } from '#contracts/panel/node-files.ts'
import type { HeldFolder } from '../platform/held-folder.ts'
import { besideTaken } from './beside-taken.ts'
import type { Bin } from './bin.ts'
import { resultOf } from './file-failure.ts'
import { JobCount, type JobDeps, type JobWork } from './job-work.ts'
import { removeTree } from './remove-tree.ts'
import { walk } from './walk.ts'

/** The folder of an entry of the bin and its record, which nobody has deleted. */
const OWN_OF_ENTRY = 2

/** The files and folders of an entry, itself included; 0 for one that cannot be looked at. */
const entriesOf = async (folder: HeldFolder, name: Buffer): Promise<number> => {
  try {
    if (!(await folder.look(name)).isDirectory()) return 1
    return await folder.within(name, async (inner) => {
      let entries = 1
      for await (const _ of walk(inner)) entries += 1
      return entries
    })
  } catch {
    return 0
  }
}

/** Deletes into the bin and for good. A person who cancels keeps everything that is not deleted by then. */
export class Deleting {
  readonly #deps: JobDeps & { readonly bin: Bin }

  constructor(deps: JobDeps & { readonly bin: Bin }) {
    this.#deps = deps
  }

  /** Deletes one after the other, and says of each how it ended. */
  async deleteAll(
    { paths, forever }: NodeFileRequest<'delete'>,
    limitBytes: number,
    work: JobWork,
  ): Promise<JobResult> {
    const { bin } = this.#deps
    const count = new JobCount(work, forever ? await this.#countAll(paths, work) : paths.length)
    const refusals: JobResult['refusals'] = []
    try {
      for (const path of paths) {
        count.refuseCancelled()
        const refusal = await resultOf(() => (forever ? this.#destroy(path, count) : bin.take(path, limitBytes)))
        count.refuseCancelled()
        if (!forever) count.tell(1)
        refusals.push(refusal)
      }
    } finally {
      // Once for all of them: it reads the whole bin. The next deletion removes the rest, and nothing of what was deleted
      // comes back.
      if (!forever) await bin.sweep(limitBytes).catch(() => {})
    }
    return { ...NO_RESULT, refusals }
  }

  /** Removes the entries with these ids, or all of them. One that has begun to go goes as a whole; the others stay when it is cancelled. */
  async emptyBin(ids: readonly string[] | undefined, work: JobWork): Promise<JobResult> {
    const { bin, area } = this.#deps
    const entries: { readonly name: Buffer; readonly things: number }[] = []
    for (const name of await bin.names(ids)) {
      const all = work.signal.aborted ? 0 : await entriesOf(area.bin, name)
      entries.push({ name, things: Math.max(0, all - OWN_OF_ENTRY) })
    }
    const count = new JobCount(
      work,
      entries.reduce((sum, { things }) => sum + things, 0),
    )
    for (const { name, things } of entries) {
      count.refuseCancelled()
      let left = things
      await bin.remove(name, () => {
        if (left > 0) count.tell(1)
        left -= 1
      })
    }
    return NO_RESULT
  }

  async #countAll(paths: readonly string[], work: JobWork): Promise<number> {
    let total = 0
    for (const path of paths) {
      if (work.signal.aborted) break
      total += await this.#deps.root.atPlace(path, ({ folder, name }) => entriesOf(folder, name)).catch(() => 0)
    }
    return total
  }

  /** Out of the customer's folder first, where nobody can put anything into it meanwhile. */
  async #destroy(path: string, count: JobCount): Promise<void> {
    const { root, area, ids, faults } = this.#deps
    const id = Buffer.from(ids.next())
    await root.atPlace(path, ({ folder, name }) => folder.rename(name, area.parts, id))
    await faults('destroy.moved')
    try {
      await removeTree(area.parts, id, () => count.add(1))
    } catch (error) {
      await this.#putBack(id, path)
      throw error
    }
  }

  /** Returns the rest of something to its path, or under the next number beside what has that meanwhile. */
  async #putBack(id: Buffer, path: string): Promise<void> {
    const { root, area, placing } = this.#deps
    const own = { folder: area.parts, name: id, at: `/parts/${id.toString()}` }
    await besideTaken(path, (to) =>
      root.atMadePlace(to, (target) => placing.alone(() => placing.place(own, { ...target, at: to }))),
    )
  }
}
