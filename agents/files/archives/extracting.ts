import * as z from 'zod'
import { stemOf } from '#contracts/panel/archive-formats.ts'
import { NO_RESULT, type JobResult } from '#contracts/panel/file-jobs.ts'
import { joinPath, nameOf } from '#contracts/panel/file-path.ts'
import type { ExtractRequest } from '#contracts/panel/node-files.ts'
import type { HeldFolder } from '../../platform/held-folder.ts'
import { FileFailure, isDiskError, resultOf } from '../file-failure.ts'
import type { Room } from '../growth-bound.ts'
import { JobCount, type JobDeps, type JobWork } from '../job-work.ts'
import { readJson } from '../placing.ts'
import type { ServerRoot } from '../server-root.ts'
import { entryPlace } from './entry-place.ts'
import { LeftOutList } from './left-out-list.ts'
import { readArchive } from './read-archive.ts'
import { UnpackBounds } from './unpack-bounds.ts'
import { unpackEntries } from './unpack-entries.ts'
import type { Unpacker } from './unpacker.ts'

const ABOUT = Buffer.from('about.json')
const CONTENT = Buffer.from('content')
/** Before a path of the node's own area in the journal: no path of a server begins with a slash. */
const OWN = '/ready/'

const About = z.object({ version: z.literal(1), to: z.string(), replaces: z.boolean() })
type About = z.infer<typeof About>

interface ExtractDeps extends JobDeps {
  readonly unpacker: Unpacker
}

/**
 * Unpacks archives into a folder of the node's own first, and puts their content in its place when it is complete. From then on
 * it is completed even after an interruption: what is ready has its record, and is placed by the next worker.
 */
export class Extracting {
  readonly #deps: ExtractDeps

  constructor(deps: ExtractDeps) {
    this.#deps = deps
  }

  extract(request: ExtractRequest, work: JobWork): Promise<JobResult> {
    return this.#deps.growth.within((room) => this.#extract(request, room, work))
  }

  async #extract({ path, format, to, replaces }: ExtractRequest, room: Room, work: JobWork): Promise<JobResult> {
    const { root, area, ids, faults, unpacker } = this.#deps
    await refuseNoFolder(root, to)
    const handle = await root.openFile(path)
    const id = Buffer.from(ids.next())
    const leftOut = new LeftOutList()
    try {
      const { size } = await handle.stat()
      const bounds = new UnpackBounds({ archiveBytes: size, room })
      const count = new JobCount(work, format === 'zip' || format === '7z' ? null : size)
      await area.parts.makeFolder(id, 0o700)
      await area.parts.within(id, async (own) => {
        await own.makeFolder(CONTENT, 0o755)
        const archive = { handle, format, bytes: size, name: stemOf(nameOf(path)) }
        await own.within(CONTENT, async (content) => {
          const entries = await readArchive(archive, { bounds, count, unpacker, signal: work.signal })
          await unpackEntries(entries, content, { bounds, leftOut, placeOf: entryPlace })
        })
        await writeAbout(own, { version: 1, to, replaces })
      })
      await faults('extract.unpacked')
      count.refuseCancelled()
      await area.parts.rename(id, area.ready, id)
      await faults('extract.ready')
      await this.#place(id, leftOut)
    } catch (error) {
      throw failureOf(error)
    } finally {
      await handle.close()
      await area.parts.removeAll(id)
    }
    return { ...NO_RESULT, ...leftOut.report }
  }

  /** Completes what an interrupted worker had ready. */
  async finish(): Promise<void> {
    for await (const id of this.#deps.area.ready.names()) await this.#place(id, new LeftOutList()).catch(() => {})
  }

  /** The place that a name of the journal means, if it is one of an extraction. */
  async inPlace(at: string, run: (place: { folder: HeldFolder; name: Buffer }) => Promise<void>): Promise<boolean> {
    if (!at.startsWith(OWN)) return false
    await this.#deps.area.ready.within(Buffer.from(at.slice(OWN.length)), (folder) => run({ folder, name: CONTENT }))
    return true
  }

  async #place(id: Buffer, leftOut: LeftOutList): Promise<void> {
    const { area } = this.#deps
    try {
      await area.ready.within(id, async (own) => {
        const about = About.safeParse(await readJson(own, ABOUT))
        if (about.success && (await has(own, CONTENT))) await this.#placeAll({ id, own, about: about.data, leftOut })
      })
    } finally {
      // An entry that has no place now will have none later, and the archive still has it.
      await area.ready.rename(id, area.parts, id)
      await area.parts.removeAll(id)
    }
  }

  async #placeAll({ id, own, about, leftOut }: Placed): Promise<void> {
    const { root, placing, faults } = this.#deps
    const { to } = about
    if (to !== '') {
      const isNew = await root.atMadePlace(to, async (target) => {
        if (await has(target.folder, target.name)) return false
        const source = { folder: own, name: CONTENT, at: `${OWN}${id.toString()}` }
        await placing.alone(() => placing.place(source, { ...target, at: to }))
        return true
      })
      await faults('extract.placed')
      if (isNew) return
    }
    await root.inFolder(to, (into) =>
      own.within(CONTENT, (from) => this.#merge({ from, into, at: '', about, leftOut })),
    )
  }

  /** A folder joins the one of its name; everything else takes a free place, or one of a file that it may replace. */
  async #merge(merging: Merging): Promise<void> {
    const { placing, faults } = this.#deps
    const { from, into, at, about, leftOut } = merging
    for await (const name of from.names()) {
      const path = joinPath(at, name.toString())
      const isFolder = (await from.look(name)).isDirectory()
      const taken = await into.look(name).catch(unlessMissing)
      if (isFolder && taken?.isDirectory()) {
        await from.within(name, (inner) =>
          into.within(name, (target) => this.#merge({ ...merging, from: inner, into: target, at: path })),
        )
      } else if (taken === undefined) {
        const result = await resultOf(() =>
          placing.alone(() => placing.placeNew({ folder: from, name }, { folder: into, name })),
        )
        // Somebody was faster.
        if (result === 'ALREADY_EXISTS') leftOut.add(path, 'exists')
        else if (result !== null) throw new FileFailure(result)
      } else if (!isFolder && taken.isFile() && about.replaces) await from.rename(name, into, name)
      else leftOut.add(path, 'exists')
      await faults('extract.placing')
    }
  }
}

interface Placed {
  readonly id: Buffer
  readonly own: HeldFolder
  readonly about: About
  readonly leftOut: LeftOutList
}

interface Merging extends Pick<Placed, 'about' | 'leftOut'> {
  readonly from: HeldFolder
  readonly into: HeldFolder
  /** The path of both below the folder that receives everything. */
  readonly at: string
}

const unlessMissing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error
  return undefined
}

const has = async (folder: HeldFolder, name: Buffer): Promise<boolean> =>
  (await folder.look(name).catch(unlessMissing)) !== undefined

/** Before anything is unpacked for a place that cannot receive it. */
const refuseNoFolder = async (root: ServerRoot, to: string): Promise<void> => {
  const stats = to === '' ? undefined : await root.look(to).catch(unlessMissing)
  if (stats?.isSymbolicLink()) throw new FileFailure('LINK_REFUSED')
  if (stats !== undefined && !stats.isDirectory()) throw new FileFailure('NOT_A_FOLDER')
}

const writeAbout = async (own: HeldFolder, about: About): Promise<void> => {
  const handle = await own.create(ABOUT, 0o600)
  try {
    await handle.writeFile(JSON.stringify(about))
  } finally {
    await handle.close()
  }
}

/** The libraries throw errors of their own for archives that are not what they say. */
const failureOf = (error: unknown): unknown =>
  error instanceof FileFailure || isDiskError(error) ? error : new FileFailure('ARCHIVE_DAMAGED')
