import fs from 'node:fs/promises'
import { constants } from 'node:fs'
import { MAX_PATH_DEPTH } from '#contracts/panel/file-path.ts'
import { NO_RESULT, type JobResult } from '#contracts/panel/file-jobs.ts'
import type { NodeFileRequest } from '#contracts/panel/node-files.ts'
import { besideTaken } from './beside-taken.ts'
import { FileFailure, resultOf } from './file-failure.ts'
import { JobCount, type JobDeps, type JobWork } from './job-work.ts'
import { refuseTaken } from './placing.ts'
import type { Place } from './server-root.ts'
import { walk } from './walk.ts'

const PERMISSIONS = 0o777
const WRITABLE = 0o200
const BLOCK_BYTES = 512
const SLASH = '/'

interface Copied {
  readonly count: JobCount
  readonly depth: number
}

const isInside = (path: string, folder: string): boolean => path.startsWith(folder + SLASH)

/** The bytes of something, as a copy of it takes them: its files, and the blocks of its folders. */
export const bytesOf = async ({ folder, name }: Place): Promise<number> => {
  const stats = await folder.look(name)
  if (!stats.isDirectory()) return stats.size
  return folder.within(name, async (inner) => {
    let bytes = 0
    for await (const { stats: each } of walk(inner)) bytes += each.isFile() ? each.size : each.blocks * BLOCK_BYTES
    return bytes
  })
}

/** A link is copied as a link. Sockets, pipes and devices belong to a running program, and are left out. */
const copyInto = async (source: Place, target: Place, { count, depth }: Copied): Promise<void> => {
  const stats = await source.folder.look(source.name)
  if (stats.isDirectory()) {
    if (depth > MAX_PATH_DEPTH) throw new FileFailure('INVALID_PATH')
    await target.folder.makeFolder(target.name, (stats.mode & PERMISSIONS) | 0o700)
    const [from, into] = [await source.folder.folder(source.name), await target.folder.folder(target.name)]
    try {
      for await (const name of from.names()) {
        await copyInto({ folder: from, name }, { folder: into, name }, { count, depth: depth + 1 })
      }
    } finally {
      await from.close()
      await into.close()
    }
  } else if (stats.isSymbolicLink()) {
    await target.folder.makeLink(target.name, await source.folder.readLink(source.name))
  } else if (stats.isFile()) {
    await copyFile(source, target)
    count.add(stats.size)
  }
}

const copyFile = async (source: Place, { folder, name }: Place): Promise<void> => {
  const file = await source.folder.file(source.name)
  if (file === undefined) return
  try {
    const mode = (file.stats.mode & PERMISSIONS) | WRITABLE
    await (await folder.create(name, mode)).close()
    const address = Buffer.concat([Buffer.from(folder.address), Buffer.from(SLASH), name])
    // By the kernel, without passing through this program; on some disks the two then share their blocks.
    await fs.copyFile(`/proc/self/fd/${file.handle.fd}`, address, constants.COPYFILE_FICLONE)
    await fs.chmod(address, mode)
  } finally {
    await file.handle.close()
  }
}

/** Copies and moves within a server's folder. Neither ever replaces something, and a copy appears when it is complete. */
export class Copying {
  readonly #deps: JobDeps

  constructor(deps: JobDeps) {
    this.#deps = deps
  }

  async move(from: string, to: string): Promise<void> {
    const { root, placing } = this.#deps
    if (from === to) throw new FileFailure('ALREADY_EXISTS')
    if (isInside(to, from)) throw new FileFailure('INTO_ITSELF')
    await root.atPlace(from, (source) =>
      root.atPlace(to, (target) => placing.alone(() => placing.place({ ...source, at: from }, { ...target, at: to }))),
    )
  }

  /** Copies one after the other, and says of each how it ended. */
  async copyAll({ moves, taken }: NodeFileRequest<'copy'>, work: JobWork): Promise<JobResult> {
    const { root, growth } = this.#deps
    const sizes: number[] = []
    for (const { from, to } of moves) {
      // A copy that will be refused is not measured, because a large folder takes a while.
      const isFree = taken === 'number' || (await resultOf(() => root.atPlace(to, refuseTaken))) === null
      sizes.push(isFree ? await root.atPlace(from, bytesOf).catch(() => 0) : 0)
    }
    const count = new JobCount(
      work,
      sizes.reduce((sum, bytes) => sum + bytes, 0),
    )
    const refusals: JobResult['refusals'] = []
    for (const [index, { from, to }] of moves.entries()) {
      const bytes = sizes[index] ?? 0
      const refusal = await resultOf(() =>
        growth.within(async (room) => {
          room.reserve(bytes)
          if (taken === 'number') await besideTaken(to, (free) => this.#copy(from, free, count))
          else await this.#copy(from, to, count)
        }),
      )
      if (work.signal.aborted) throw new FileFailure('BUSY')
      refusals.push(refusal)
    }
    return { ...NO_RESULT, refusals }
  }

  async #copy(from: string, to: string, count: JobCount): Promise<void> {
    const { root, area, placing, ids, faults } = this.#deps
    if (from === to) throw new FileFailure('ALREADY_EXISTS')
    if (isInside(to, from)) throw new FileFailure('INTO_ITSELF')
    const part = Buffer.from(ids.next())
    // Before anything is copied; the kernel decides once more at the end.
    await root.atPlace(to, refuseTaken)
    await root.atPlace(from, async (source) => {
      try {
        await copyInto(source, { folder: area.parts, name: part }, { count, depth: 0 })
        await faults('copy.complete')
        const own = { folder: area.parts, name: part, at: `/parts/${part.toString()}` }
        await root.atPlace(to, (target) => placing.alone(() => placing.place(own, { ...target, at: to })))
      } finally {
        await area.parts.removeAll(part)
      }
    })
  }
}
