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
