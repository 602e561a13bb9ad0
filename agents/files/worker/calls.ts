import { JOB_KINDS, WORKER_JOBS, type JobResult, type WorkerJob } from '#contracts/panel/file-jobs.ts'
import {
  NODE_FILE_CALLS,
  type Results,
  type NodeFileCall,
  type NodeFileOutput,
  type NodeFileRequest,
} from '#contracts/panel/node-files.ts'
import type { IdSource } from '#platform/ids.ts'
import { Bin } from '../bin.ts'
import { Compressing } from '../archives/compressing.ts'
import { Extracting } from '../archives/extracting.ts'
import type { Unpacker } from '../archives/unpacker.ts'
import { Copying } from '../copying.ts'
import { Deleting } from '../deleting.ts'
import { resultOf } from '../file-failure.ts'
import type { FileFaultPoint } from '../file-faults.ts'
import { FileContent } from '../file-content.ts'
import type { JobWork } from '../job-work.ts'
import { FolderLists } from '../folder-list.ts'
import { History } from '../history.ts'
import type { OwnArea } from '../own-area.ts'
import { Placing } from '../placing.ts'
import { folderSize, search } from '../search.ts'
import type { ServerRoot } from '../server-root.ts'
import { TakenNames } from '../taken-names.ts'
import { OpenUploads } from '../uploads/open-uploads.ts'
import { Uploads } from '../uploads/uploads.ts'
import type { UploadAsker, UploadCall } from '../worker-wire.ts'
import { Receiving } from '../transferring/receiving.ts'
import { Sending } from '../transferring/sending.ts'
import { FileSession } from './file-session.ts'
import { GrowthBound, type Measured } from '../growth-bound.ts'

const NEW_FILE = 0o644

/** The storage of the server and its free part: the agent measures both. */
export interface Room extends Measured {
  readonly limitBytes: number
}

/** Work that tells about its progress, and can be cancelled. */
type JobOf<Kind extends WorkerJob> = (request: NodeFileRequest<Kind>, work: JobWork, room: Room) => Promise<JobResult>

/** Calls that the agent answers by itself, or as jobs. */
const NOT_HERE = ['usage', 'running-since', 'sftp', 'jobs', 'end-job', ...JOB_KINDS] as const
type WorkerCall = Exclude<NodeFileCall, (typeof NOT_HERE)[number]>

/** The agent adds who asks to the calls about uploads. */
type AskedBy<Call extends NodeFileCall> = Call extends UploadCall ? { readonly asker: UploadAsker } : unknown
type CallOf<Call extends NodeFileCall> = (
  request: NodeFileRequest<Call> & AskedBy<Call>,
  room: Room,
  /** Aborted once nobody waits for the answer. */
  signal?: AbortSignal,
) => Promise<NodeFileOutput<Call>>

export interface WorkerDeps {
  readonly root: ServerRoot
  readonly area: OwnArea
  readonly ids: IdSource
  readonly faults: FileFaultPoint
  readonly now: () => number
  readonly unpacker: Unpacker
}

/** Runs one operation for each thing, one after the other, and says of each how it ended. */
const each = async <Thing>(things: readonly Thing[], run: (thing: Thing) => Promise<unknown>): Promise<Results> => {
  const refusals: Results['refusals'] = []
  for (const thing of things) refusals.push(await resultOf(() => run(thing)))
  return { refusals }
}

/** Every operation of the worker over one server's folder. */
export const workerCalls = (deps: WorkerDeps) => {
  const { root, area, now } = deps
  const placing = new Placing(area, deps.faults)
  const history = new History(deps)
  const growth = new GrowthBound(now, () => root.diskFreeBytes())
  const parts = { ...deps, placing, history, growth }
  const [bin, copying, lists] = [new Bin(parts), new Copying(parts), new FolderLists(root, now)]
  const placed = { ...parts, takenNames: new TakenNames(bin) }
  const content = new FileContent(placed)
  const uploads = new Uploads({ ...parts, content })
  const openUploads = new OpenUploads({ uploads, area, now })
  const calls: { readonly [Call in WorkerCall]: CallOf<Call> } = {
    'open-uploads': async ({ asker }) => ({ uploads: await openUploads.list(asker) }),
    'upload-sums': ({ asker, ...asked }, _room, signal) => openUploads.sums(asker, { ...asked, signal }),
    'end-upload': ({ asker, id }) => openUploads.end(asker, id),
    list: (request) => lists.list(request),
    search: (request, _room, signal) => search({ root, now, signal }, request),
    'folder-size': ({ path }, _room, signal) => folderSize(root, path, signal),
    history: async ({ path }) => ({ versions: await history.list(path) }),
    'create-file': ({ path }) =>
      root.atPlace(path, async ({ folder, name }) => {
        await (await folder.create(name, NEW_FILE)).close()
        return {}
      }),
    'create-folder': ({ path }) =>
      root.atPlace(path, async ({ folder, name }) => {
        await folder.makeFolder(name, 0o755)
        return {}
      }),
    move: async ({ moves }) => each(moves, ({ from, to }) => copying.move(from, to)),
    'change-mode': async ({ paths, mode }) =>
      each(paths, (path) => root.atPlace(path, ({ folder, name }) => folder.changeMode(name, mode))),
    bin: async (_request, { limitBytes }) => ({ entries: await bin.sweep(limitBytes) }),
    restore: async ({ id, to }) => ({ path: await bin.restore(id, to) }),
  }
  const compressing = new Compressing(parts)
  const extracting = new Extracting(parts)
  const deleting = new Deleting({ ...parts, bin })
  const jobs: { readonly [Kind in WorkerJob]: JobOf<Kind> } = {
    copy: (request, work) => copying.copyAll(request, work),
    compress: (request, work) => compressing.compress(request, work),
    extract: (request, work) => extracting.extract(request, work),
    delete: (request, work, room) => deleting.deleteAll(request, room.limitBytes, work),
    'empty-bin': ({ ids }, work) => deleting.emptyBin(ids, work),
  }
  const recover = async (): Promise<void> => {
    await placing.recover(async (at, run) => {
      if ((await bin.inPlace(at, run)) || (await extracting.inPlace(at, run))) return
      if (await uploads.inPlace(at, run)) return
      await root.atPlace(at, run)
    })
    await bin.recover()
    await extracting.finish()
    await uploads.sweep()
  }
  const session = (): FileSession => new FileSession({ root, placing, growth })
  const transfers = { sending: new Sending({ root, bin }), receiving: new Receiving(placed) }
  return { calls, jobs, bin, content, uploads, ...transfers, growth, session, recover }
}

/** Whether a worker answers the call. */
export const isWorkerCall = (name: string): name is WorkerCall =>
  Object.hasOwn(NODE_FILE_CALLS, name) && !(NOT_HERE as readonly string[]).includes(name)

/** Whether the call is work that a worker does as a job. */
export const isWorkerJob = (name: string): name is WorkerJob => (WORKER_JOBS as readonly string[]).includes(name)
