import * as z from 'zod'
import { REFUSALS } from './file-refusals.ts'

export const JOB_KINDS = ['copy', 'compress', 'extract', 'delete', 'empty-bin', 'pull', 'transfer'] as const
export type JobKind = (typeof JOB_KINDS)[number]
/**
 * The work that the process of one server's files does. A pull is the agent's, because that process has no use for a network, and so
 * is a transfer, because it has two of them.
 */
export const WORKER_JOBS = ['copy', 'compress', 'extract', 'delete', 'empty-bin'] as const satisfies readonly JobKind[]
export type WorkerJob = (typeof WORKER_JOBS)[number]

/** Whether the work removes things, and counts them and not their bytes. */
export const isDeletion = (kind: string): boolean => kind === 'delete' || kind === 'empty-bin'

/** `waiting`: another job of the server comes first. `interrupted`: the node ended meanwhile; nothing half-made is left. */
export const JOB_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled', 'interrupted'] as const
export type JobState = (typeof JOB_STATES)[number]

/**
 * Why something of an archive is not there: an absolute name, one that climbs out, a link, something that is neither file
 * nor folder, a name that this node does not use, a place that something else has, a file that could not be read.
 */
export const LEFT_OUT_REASONS = ['absolute', 'climbs', 'link', 'special', 'name', 'exists', 'unreadable'] as const
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number]
/** The most names in one report; its count is complete. */
export const MAX_LEFT_OUT = 100

const LeftOut = z.object({ name: z.string(), why: z.enum(LEFT_OUT_REASONS) })
export type LeftOut = z.infer<typeof LeftOut>

/** How a job ended, besides its state. */
export const JobResult = z.object({
  /** Copies, deletions and transfers have one for each thing, in the order of the request; null means done. */
  refusals: z.array(z.enum(REFUSALS).nullable()).default([]),
  leftOut: z.array(LeftOut).max(MAX_LEFT_OUT).default([]),
  leftOutCount: z.int().default(0),
})
export type JobResult = z.infer<typeof JobResult>
/** Nothing to report. */
export const NO_RESULT: JobResult = { refusals: [], leftOut: [], leftOutCount: 0 }

/** Work on the files of a server that may take long. It survives the browser that started it, and not the node. */
export const FileJob = JobResult.extend({
  id: z.uuid(),
  kind: z.enum(JOB_KINDS),
  state: z.enum(JOB_STATES),
  /** The archive, the first copy or the file that is made, the archive that is extracted, or the first thing that is deleted or goes to another server; of an emptied bin nothing. */
  path: z.string(),
  /** How many things were chosen; 0 for all of the bin. */
  things: z.int(),
  /** Whether the things of a transfer leave their server. */
  moves: z.boolean().default(false),
  /** A transfer in the list of the server that receives: its path is a name alone, and the other server's report is not part of it. */
  arrives: z.boolean().default(false),
  /** In a list: whether the reader began it. A reader who may not change files ends only their own. */
  isOwn: z.boolean().default(true),
  startedAtMs: z.number(),
  endedAtMs: z.number().nullable(),
  /** Bytes, and of what is deleted files and folders. The total is null until it is known. */
  done: z.number(),
  total: z.number().nullable(),
  /** Why it failed. */
  refusal: z.enum(REFUSALS).nullable(),
})
export type FileJob = z.infer<typeof FileJob>
