import { NO_RESULT, type JobResult } from '#contracts/panel/file-jobs.ts'
import type { CompressRequest } from '#contracts/panel/node-files.ts'
import { entriesOf } from '../../archive/folder-entries.ts'
import { bytesOf } from '../copying.ts'
import type { Room } from '../growth-bound.ts'
import { JobCount, type JobDeps, type JobWork } from '../job-work.ts'
import { refuseTaken } from '../placing.ts'
import { LeftOutList } from './left-out-list.ts'
import { writeArchive } from './write-archive.ts'

const NEW_FILE = 0o644
const TOP = { name: Buffer.alloc(0), depth: 0 }

/** Makes archives of files and folders. An archive appears when it is complete, and replaces nothing. */
export class Compressing {
  readonly #deps: JobDeps

  constructor(deps: JobDeps) {
    this.#deps = deps
  }

  compress(request: CompressRequest, work: JobWork): Promise<JobResult> {
    return this.#deps.growth.within((room) => this.#compress(request, room, work))
  }

  async #compress({ folder: from, names, to, format }: CompressRequest, room: Room, work: JobWork): Promise<JobResult> {
    const { root, area, placing, ids, faults } = this.#deps
    const chosen = names.map((name) => Buffer.from(name))
    const leftOut = new LeftOutList()
    const part = Buffer.from(ids.next())
    await root.atPlace(to, refuseTaken)
    await root.inFolder(from, async (folder) => {
      let total = 0
      for (const name of chosen) total += await bytesOf({ folder, name })
      const writing = { count: new JobCount(work, total), leftOut }
      // Outside of the server's folder, so that no archive contains itself.
      const handle = await area.parts.create(part, NEW_FILE)
      try {
        for await (const piece of writeArchive(format, entriesOf(folder, TOP, chosen), writing)) {
          room.grow(piece.length)
          await handle.writeFile(piece)
        }
        await faults('compress.complete')
        const own = { folder: area.parts, name: part, at: `/parts/${part.toString()}` }
        await root.atPlace(to, (target) => placing.alone(() => placing.place(own, { ...target, at: to })))
      } finally {
        await handle.close()
        await area.parts.removeAll(part)
      }
    })
    return { ...NO_RESULT, ...leftOut.report }
  }
}
