import fs from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import { Unpacker } from '../../agents/files/archives/unpacker.ts'
import type { FileFaultPoint } from '../../agents/files/file-faults.ts'
import { OwnArea } from '../../agents/files/own-area.ts'
import { REPORT_NAME } from '../../agents/files/transferring/transfer-wire.ts'
import { ServerRoot } from '../../agents/files/server-root.ts'
import { workerCalls } from '../../agents/files/worker/calls.ts'
import { HeldFolder } from '../../agents/platform/held-folder.ts'
import { noFaults } from '#platform/fault-point.ts'
import { systemIds } from '#platform/ids.ts'
import { tarOf } from './archives.ts'

const ROOM = { limitBytes: 1e9, freeBytes: 1e9, measurement: 1 }
const NO_WISH = { taken: 'refuse', limitBytes: ROOM.limitBytes } as const
const REPLACE = { taken: 'replace', limitBytes: ROOM.limitBytes } as const
const WORK = { signal: new AbortController().signal, progress: () => {} }
/** An archive holds the times of its files and folders, so they are fixed. */
const MORNING = new Date('2026-01-02T08:00:00Z')
export const NEW_BYTES = 'x'.repeat(100_000)
/** The content of a stream. */
export const bytesOf = (text: string | Buffer) => Readable.from([Buffer.from(text)])

const MODS = tarOf([
  { name: 'ops.json', content: 'new ops' },
  { name: 'world/level.dat', content: 'new level' },
  { name: 'world/new.dat', content: 'new' },
  { name: 'config/mod.toml', content: 'mod' },
])

const REPORT = { name: REPORT_NAME, content: JSON.stringify({ leftOut: [], leftOutCount: 0 }) }
const SENT = tarOf([
  { name: 'sent/level.dat', content: 'level' },
  { name: 'sent/region/r.mca', content: 'region' },
  REPORT,
])
const SENT_WORLD = tarOf([{ name: 'world/level.dat', content: 'another level' }, REPORT])
const SENT_FILE = tarOf([{ name: 'sent.txt', content: 'sent' }, REPORT])

/** Content of every file by its path, and every folder with a slash. */
const contentOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    fs.readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
      const at = path.join(entry.parentPath, entry.name)
      const name = path.relative(folder, at)
      return entry.isDirectory() ? [`${name}/`, ''] : [name, fs.readFileSync(at, 'utf8')]
    }),
  )

/**
 * The server's files, the bin by the old paths, and everything else that is left in the node's own area. Times of
 * deletion differ from run to run, so they are not part of it.
 */
export const filesState = (
  { root, area }: { readonly root: string; readonly area: string },
  entries: readonly { readonly id: string; readonly path: string }[],
) => ({
  files: contentOf(root),
  bin: Object.fromEntries(
    entries.map(({ id, path: at }) => [at, { ...contentOf(path.join(area, 'bin', id)), 'about.json': '' }]),
  ),
  left: {
    ...contentOf(path.join(area, 'parts')),
    ...contentOf(path.join(area, 'ready')),
    journal: fs.existsSync(path.join(area, 'moving.json')),
  },
  entries: fs.readdirSync(path.join(area, 'bin')).length === entries.length,
})

/** The files with which each operation begins. */
export const layOutFiles = (root: string): void => {
  fs.mkdirSync(path.join(root, 'world/region'), { recursive: true })
  fs.writeFileSync(path.join(root, 'world/level.dat'), 'level')
  fs.writeFileSync(path.join(root, 'world/region/r.mca'), 'region')
  fs.writeFileSync(path.join(root, 'ops.json'), 'ops')
  fs.writeFileSync(path.join(root, 'mods.tar'), MODS)
  for (const at of fs.readdirSync(root, { recursive: true, encoding: 'utf8' }))
    fs.utimesSync(path.join(root, at), MORNING, MORNING)
}

/** A server's folder and the node's area beside it, and workers over both. */
export class FileWorkerRig {
  readonly root: string
  readonly area: string
  /** The time that its workers read. */
  now: () => number = Date.now
  readonly #opened: HeldFolder[] = []

  constructor(folder: string) {
    this.root = path.join(folder, 'root')
    this.area = path.join(folder, 'files')
  }

  /** Starts again with the same files. */
  layOut(): void {
    for (const folder of [this.root, this.area]) fs.rmSync(folder, { recursive: true, force: true })
    fs.mkdirSync(this.area, { recursive: true })
    layOutFiles(this.root)
  }

  /** A worker over the folder; a new one begins as after a kill, with what is on the disk. */
  async begin(faults: FileFaultPoint = noFaults) {
    const [root, area] = [await HeldFolder.open(this.root), await HeldFolder.open(this.area)]
    const own = await OwnArea.open(area)
    this.#opened.push(root, area, own.parts, own.ready, own.bin, own.history, own.uploads)
    const worker = workerCalls({
      root: new ServerRoot(root),
      area: own,
      ids: systemIds,
      now: () => this.now(),
      faults,
      unpacker: new Unpacker(() => Buffer.alloc(0)),
    })
    await worker.recover()
    worker.growth.measured({ freeBytes: 1e9, measurement: 1 })
    return worker
  }

  /** The files that are there now, by a worker. */
  async state(worker: FileWorker) {
    const { entries } = await worker.calls.bin({}, ROOM)
    return filesState(this, entries)
  }

  async close(): Promise<void> {
    for (const folder of this.#opened.splice(0)) await folder.close()
  }
}
export type FileWorker = Awaited<ReturnType<FileWorkerRig['begin']>>

/** The mark of something as it is sent. */
export const markAt = async (sending: FileWorker['sending'], at: string): Promise<string> => {
  let marked = ''
  await sending.send(at, async (tar, mark) => {
    // It is complete once everything was read.
    await buffer(tar)
    marked = mark.value
  })
  return marked
}

const UPLOADER = 'a person'
/** The half of an upload that its first part brings. */
export const HALF_BYTES = NEW_BYTES.length / 2

/** Begins an upload in parts of the new bytes to `new.zip`; resolves with its id. */
export const beginUpload = async (uploads: FileWorker['uploads']): Promise<string> => {
  const about = { name: 'new.zip', by: 'anna', userId: UPLOADER }
  const wanted = { path: 'new.zip', replaces: 'new', bytes: NEW_BYTES.length, ...about } as const
  return (await uploads.create(wanted)).id
}

/** Sends the rest of an upload, as a client does that asks how much has arrived; resolves with its offset before. */
export const uploadFrom = async (uploads: FileWorker['uploads'], id: string): Promise<number> => {
  const asked = { id, userId: UPLOADER }
  const { offset } = await uploads.state(asked, { mayPlace: true, mayReplace: true })
  // As every client does: a complete one is done.
  if (offset === NEW_BYTES.length) return offset
  for (let from = offset; ;) {
    const to = from < HALF_BYTES ? HALF_BYTES : NEW_BYTES.length
    const part = { offset: from, bytes: to - from, mayReplace: true }
    await uploads.write(asked, part, bytesOf(NEW_BYTES.slice(from, to)))
    if (to === NEW_BYTES.length) return offset
    from = to
  }
}

const first = async (worker: FileWorker) => (await worker.calls.bin({}, ROOM)).entries[0]?.id ?? ''

/** The operation, and the contents that are allowed afterwards: before, or after, and nothing between. */
export const FILE_OPERATIONS: Readonly<
  Record<string, { prepare?: (worker: FileWorker) => Promise<unknown>; run: (worker: FileWorker) => Promise<unknown> }>
> = {
  'a move of a file': { run: ({ calls }) => calls.move({ moves: [{ from: 'ops.json', to: 'world/ops.json' }] }, ROOM) },
  'a move of a folder': { run: ({ calls }) => calls.move({ moves: [{ from: 'world', to: 'old' }] }, ROOM) },
  'a copy of a folder': {
    run: ({ jobs }) => jobs.copy({ moves: [{ from: 'world', to: 'copy' }], taken: 'refuse' }, WORK, ROOM),
  },
  'a copy of a file': {
    run: ({ jobs }) => jobs.copy({ moves: [{ from: 'ops.json', to: 'copy.json' }], taken: 'refuse' }, WORK, ROOM),
  },
  'a deletion of a folder': { run: ({ jobs }) => jobs.delete({ paths: ['world'], forever: false }, WORK, ROOM) },
  'a deletion of a file for good': {
    run: ({ jobs }) => jobs.delete({ paths: ['ops.json'], forever: true }, WORK, ROOM),
  },
  'a restore of a file': {
    prepare: ({ jobs }) => jobs.delete({ paths: ['ops.json'], forever: false }, WORK, ROOM),
    run: async (worker) => worker.calls.restore({ id: await first(worker) }, ROOM),
  },
  'a restore of a folder': {
    prepare: ({ jobs }) => jobs.delete({ paths: ['world'], forever: false }, WORK, ROOM),
    run: async (worker) => worker.calls.restore({ id: await first(worker) }, ROOM),
  },
  'an emptied bin': {
    prepare: ({ jobs }) => jobs.delete({ paths: ['world'], forever: false }, WORK, ROOM),
    run: ({ jobs }) => jobs['empty-bin']({}, WORK, ROOM),
  },
  'an archive that is made': {
    run: ({ jobs }) =>
      jobs.compress({ folder: '', names: ['world', 'ops.json'], to: 'all.zip', format: 'zip' }, WORK, ROOM),
  },
  'an extraction into a new folder': {
    run: ({ jobs }) => jobs.extract({ path: 'mods.tar', format: 'tar', to: 'mods', replaces: false }, WORK, ROOM),
  },
  'an extraction into a folder that has files': {
    run: ({ jobs }) => jobs.extract({ path: 'mods.tar', format: 'tar', to: '', replaces: true }, WORK, ROOM),
  },
  'a tree that arrives from another server': {
    run: ({ receiving }) => receiving.receive({ path: 'sent', bytes: 9, isMove: true, ...NO_WISH }, bytesOf(SENT)),
  },
  'a file that arrives from another server': {
    run: ({ receiving }) =>
      receiving.receive({ path: 'sent.txt', bytes: 4, isMove: false, ...NO_WISH }, bytesOf(SENT_FILE)),
  },
  'a tree that arrives and replaces another one': {
    run: ({ receiving }) =>
      receiving.receive({ path: 'world', bytes: 9, isMove: true, ...REPLACE }, bytesOf(SENT_WORLD)),
  },
  'a file that is pulled and replaces another one': {
    run: ({ content }) => {
      const wanted = { bytes: NEW_BYTES.length, replaces: 'new', wish: REPLACE } as const
      return content.write('ops.json', bytesOf(NEW_BYTES), wanted)
    },
  },
  'a file that is pulled and gets a number': {
    run: ({ content }) => {
      const wanted = { bytes: NEW_BYTES.length, replaces: 'new', wish: { ...REPLACE, taken: 'number' } } as const
      return content.write('ops.json', bytesOf(NEW_BYTES), wanted)
    },
  },
  'a folder that has left to another server': {
    run: async ({ sending }) => sending.leave('world', await markAt(sending, 'world')),
  },
  'a file that has left to another server': {
    run: async ({ sending }) => sending.leave('ops.json', await markAt(sending, 'ops.json')),
  },
  'an upload': {
    run: ({ content }) => content.write('new.zip', bytesOf(NEW_BYTES), { bytes: NEW_BYTES.length, replaces: 'new' }),
  },
  'an upload in parts': { run: async ({ uploads }) => uploadFrom(uploads, await beginUpload(uploads)) },
  'a saved file': {
    run: ({ content }) => content.write('ops.json', bytesOf(NEW_BYTES), { bytes: NEW_BYTES.length, replaces: 'any' }),
  },
  'a save of the editor': {
    run: async ({ content }) => {
      const { handle, etag } = await content.open('ops.json')
      await handle.close()
      return content.write('ops.json', bytesOf(NEW_BYTES), { bytes: NEW_BYTES.length, replaces: { etag } })
    },
  },
}
