import * as z from 'zod'

/** Uploads arrive in parts and continue after an interruption: tus 1.0.0 (https://tus.io/protocols/resumable-upload). */
export const TUS_VERSION = '1.0.0'
export const TUS_EXTENSIONS = ['creation', 'termination', 'checksum', 'expiration'] as const
export const CHECKSUM_ALGORITHMS = ['sha256', 'sha1'] as const
export const UPLOAD_CONTENT_TYPE = 'application/offset+octet-stream'
/** The node forgets an upload this long after its last part. */
export const UPLOAD_HOURS = 24
/** Browsers send parts of this size, because proxies often take at most 10 MB. */
export const UPLOAD_PART_BYTES = 8 * 1024 * 1024
/** Between two parts of an upload that goes on passes less than this. */
export const BETWEEN_PARTS_MS = 5_000
/** No file system of a node takes larger files. */
export const UPLOAD_MAX_BYTES = 16 * 1024 ** 4

/** The checksum of a part; the digest in base64. */
export interface UploadChecksum {
  readonly algorithm: (typeof CHECKSUM_ALGORITHMS)[number]
  readonly digest: string
}

/** How far an upload is. `replaces`: `new` refuses a name that is taken, `any` replaces the file that has it. */
export const UploadState = z.object({
  path: z.string(),
  replaces: z.enum(['new', 'any']),
  bytes: z.number(),
  offset: z.number(),
  expiresAtMs: z.number(),
})
export type UploadState = z.infer<typeof UploadState>

/** The most letters of a name that is only shown. */
const MAX_SHOWN = 255

/**
 * The facts of an upload that are shown beside its state: the file's own name, which its place may not have, who began
 * it and when.
 */
export const UploadFacts = z.object({
  name: z.string().max(MAX_SHOWN).default(''),
  by: z.string().max(MAX_SHOWN).default(''),
  /** Null for one that began before nodes kept it. */
  startedAtMs: z.number().nullable().default(null),
})
export type UploadFacts = z.infer<typeof UploadFacts>

/** An upload that is not complete, as the list of a server shows it. */
export const OpenUpload = UploadState.extend({
  ...UploadFacts.shape,
  id: z.uuid(),
  /** Whether the reader began it, and so may go on with it. */
  isOwn: z.boolean(),
  /** Whether a part arrives just now. */
  isArriving: z.boolean(),
  /** How long ago the last part arrived. */
  idleMs: z.number(),
})
export type OpenUpload = z.infer<typeof OpenUpload>

/** The sums of this many parts are in one response, so that it takes a node a second and not a minute. */
export const SUMS_AT_ONCE = 32
/** SHA-256 in base64 of each part of `UPLOAD_PART_BYTES` that has arrived, from the asked one on; the last may be shorter. */
export const UploadSums = z.object({ offset: z.number(), sums: z.array(z.string()).max(SUMS_AT_ONCE) })
export type UploadSums = z.infer<typeof UploadSums>
