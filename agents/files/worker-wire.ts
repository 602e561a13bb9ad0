import * as z from 'zod'
import { JobResult } from '#contracts/panel/file-jobs.ts'
import { REFUSALS } from '#contracts/panel/file-refusals.ts'
import { TAKEN_NAMES, type NodeFileCall } from '#contracts/panel/node-files.ts'
import { CHECKSUM_ALGORITHMS, UploadFacts, UploadState } from '#contracts/panel/uploads.ts'

/** How the agent and a worker of its own speak: HTTP/2 over one inherited connection. */

/** Descriptors that a worker inherits: the server's folder, the node's own area beside it, the program of its unpacker, the connection. */
export const WORKER_FDS = { root: 3, area: 4, unpacker: 5, connection: 6 } as const

/** Bytes of one transfer on their way: enough for a fast disk, and little for a hundred transfers. */
export const WINDOW_BYTES = 1024 * 1024

/** The storage of the server in each request, because it may change while a worker lives. */
export const ROOM_HEADERS = {
  limit: 'x-limit-bytes',
  free: 'x-free-bytes',
  measurement: 'x-measurement',
  measuredAt: 'x-measured-at-ms',
  reserve: 'x-reserve-bytes',
} as const

/** The trailer of content whose length was not known before: how many bytes it has. Content without it was cut. */
export const BYTES_TRAILER = 'x-bytes'

/** The header with the person's choice for a taken name; the answer then says the path. */
export const TAKEN_HEADER = 'x-taken'
export const TakenName = z.enum(TAKEN_NAMES)
export const Placed = z.object({ path: z.string() })

/** A line of a job's response: how far it is, or how it ended. */
export const JobLine = z.union([
  z.object({ done: z.number(), total: z.number().nullable() }),
  z.object({ result: JobResult }),
  z.object({ refusal: z.enum(REFUSALS) }),
])
export type JobLine = z.infer<typeof JobLine>
/** How often at most a job says how far it is. */
export const JOB_LINE_MS = 200

/** The body that begins an upload in parts. */
export const BegunUpload = UploadState.pick({ path: true, replaces: true, bytes: true }).extend({
  ...UploadFacts.pick({ name: true, by: true }).shape,
  userId: z.string(),
})
export type BegunUpload = z.infer<typeof BegunUpload>

/** Calls about uploads that are not complete: the worker must know who asks. */
const UPLOAD_CALLS = ['open-uploads', 'upload-sums', 'end-upload'] as const satisfies readonly NodeFileCall[]
export type UploadCall = (typeof UPLOAD_CALLS)[number]
export const isUploadCall = (name: string): name is UploadCall => (UPLOAD_CALLS as readonly string[]).includes(name)

/** The person who asks about the uploads of a server; `mayAll`: whether those of others are theirs to remove. */
export interface UploadAsker {
  readonly userId: string
  readonly mayAll: boolean
}

/** The header of every further request about it, as JSON; `part` of one that adds to it. */
export const UPLOAD_HEADER = 'x-upload'
export const AskedUploadPart = z.object({
  id: z.string(),
  userId: z.string(),
  /** With a question about its offset. */
  rights: z.object({ mayPlace: z.boolean(), mayReplace: z.boolean() }).optional(),
  part: z
    .object({
      offset: z.number(),
      bytes: z.number().optional(),
      checksum: z.object({ algorithm: z.enum(CHECKSUM_ALGORITHMS), digest: z.string() }).optional(),
      mayReplace: z.boolean(),
    })
    .optional(),
})
export type AskedUploadPart = z.infer<typeof AskedUploadPart>

/** The worker's answer about an upload; `id` when it begins, `version` once the file has its place. */
export const UploadAnswer = UploadState.extend({
  id: z.string().optional(),
  version: z.object({ etag: z.string(), mtimeMs: z.number() }).optional(),
})
export type UploadAnswer = z.infer<typeof UploadAnswer>
