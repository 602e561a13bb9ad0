import { isDeletion, JOB_KINDS, type FileJob, type JobKind } from '#contracts/panel/file-jobs.ts'
import { joinPath, nameOf } from '#contracts/panel/file-path.ts'
import type { FileRefusal } from '#contracts/panel/file-refusals.ts'
import type { NodeFileCall, NodeFileRequest } from '#contracts/panel/node-files.ts'
import { FileFailure } from '../files/file-failure.ts'
import type { JobAbout } from '../files/file-jobs.ts'

const CALLS = ['jobs', 'end-job', ...JOB_KINDS] as const
export type JobCall = (typeof CALLS)[number]

/** Whether the call is about jobs, which the agent keeps itself. */
export const isJobCall = (call: NodeFileCall): call is JobCall => (CALLS as readonly string[]).includes(call)

/** How the list of jobs names the work of a request. */
export const jobAbout = (kind: JobKind, request: unknown): JobAbout => {
  if (kind === 'extract') return { kind, path: (request as NodeFileRequest<'extract'>).path, things: 1 }
  if (kind === 'compress') {
    const { to, names } = request as NodeFileRequest<'compress'>
    return { kind, path: to, things: names.length }
  }
  if (kind === 'pull') {
    const { folder, name } = request as NodeFileRequest<'pull'>
    // The source names the file if the request does not; until then it goes by its folder.
    return { kind, path: name === undefined ? folder : joinPath(folder, name), things: 1 }
  }
  if (kind === 'transfer') {
    const { paths, folder, moves } = request as NodeFileRequest<'transfer'>
    return { kind, path: joinPath(folder, nameOf(paths[0] ?? '')), things: paths.length, moves }
  }
  if (kind === 'delete') {
    const { paths } = request as NodeFileRequest<'delete'>
    return { kind, path: paths[0] ?? '', things: paths.length }
  }
  if (kind === 'empty-bin') {
    return { kind, path: '', things: (request as NodeFileRequest<'empty-bin'>).ids?.length ?? 0 }
  }
  const { moves } = request as NodeFileRequest<'copy'>
  return { kind, path: moves[0]?.to ?? '', things: moves.length }
}

/** Whether the work may replace something of its server, which needs more than the permission to create. */
export const replacesFiles = (kind: JobKind, request: unknown): boolean => {
  if (kind === 'extract') return (request as NodeFileRequest<'extract'>).replaces
  return kind === 'pull' && (request as NodeFileRequest<'pull'>).taken === 'replace'
}

const knowsDeletions = (request: unknown): boolean => (request as NodeFileRequest<'jobs'>).deletionJobs === true

/** Whether the answer to the start of a job waits for its end. */
export const waitsForEnd = (call: JobCall, request: unknown): boolean => isDeletion(call) && !knowsDeletions(request)

/** The answer to the start of a job. Throws what a client that has waited for its end would otherwise take for done. */
export const startedAnswer = (call: JobCall, request: unknown, job: FileJob): object => {
  if (waitsForEnd(call, request) && job.state !== 'done') throw new FileFailure(job.refusal ?? 'BUSY')
  return call === 'delete' ? { job, refusals: job.refusals } : { job }
}

/** The same refusal in the words of the release before. */
const known = <Code extends FileRefusal | null>(code: Code): Code | 'NO_SPACE' =>
  code === 'NODE_FULL' ? 'NO_SPACE' : code

/** The list of jobs as its client can read it. */
export const listedFor = (jobs: readonly FileJob[], request: unknown): FileJob[] =>
  knowsDeletions(request)
    ? [...jobs]
    : jobs
        .filter(({ kind }) => !isDeletion(kind))
        .map((job) => ({ ...job, refusal: known(job.refusal), refusals: job.refusals.map(known) }))
