import * as z from 'zod'

/** Closed list of refusals of the node, with their status. */
export const FILE_REFUSALS = {
  INVALID_PATH: 400,
  INVALID_REQUEST: 400,
  /** An address that this node does not ask: not of the web, or not on the public internet. */
  ADDRESS_REFUSED: 400,
  INVALID_TOKEN: 401,
  FORBIDDEN: 403,
  READ_ONLY: 403,
  /** The holder of the token looks at the server as a collaborator. */
  SEEING_AS: 403,
  DENIED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  ALREADY_EXISTS: 409,
  NOT_A_FOLDER: 409,
  NOT_A_FILE: 409,
  LINK_REFUSED: 409,
  INTO_ITSELF: 409,
  CHANGED: 409,
  /**
   * A thing that was moved to another server has arrived there, and is still here, because it changed or something in
   * it was left out.
   */
  SOURCE_KEPT: 409,
  BIN_TOO_SMALL: 409,
  /** The part does not begin where the upload ends. */
  WRONG_OFFSET: 409,
  NOT_AN_ARCHIVE: 409,
  ARCHIVE_DAMAGED: 409,
  ARCHIVE_ENCRYPTED: 409,
  /** The upload expired. */
  UPLOAD_GONE: 410,
  /** The node does not speak this version of tus. */
  WRONG_VERSION: 412,
  TOO_LARGE: 413,
  ARCHIVE_TOO_MANY: 413,
  ARCHIVE_TOO_DENSE: 413,
  /** The content type of a part is not that of tus. */
  WRONG_TYPE: 415,
  NO_SUCH_RANGE: 416,
  /** The part arrived damaged. tus defines the status. */
  WRONG_CHECKSUM: 460,
  INTERNAL: 500,
  /** The source of a pull is not reached, or does not send the file. */
  SOURCE_FAILED: 502,
  BUSY: 503,
  NO_SPACE: 507,
  /** The disk of the node has no more than its reserve left, whatever the storage of the server. */
  NODE_FULL: 507,
} as const
export type FileRefusal = keyof typeof FILE_REFUSALS
export const REFUSALS = Object.keys(FILE_REFUSALS) as [FileRefusal, ...FileRefusal[]]

export const isFileRefusal = (code: string): code is FileRefusal => Object.hasOwn(FILE_REFUSALS, code)

export const FileErrorBody = z.object({
  error: z.object({
    code: z.enum(REFUSALS),
    /** In English, for programs; pages say it in their own words by the code. */
    message: z.string(),
    path: z.string().optional(),
    /** The permission that is missing. */
    permission: z.string().optional(),
    /** With `CHANGED`: the version on the disk now. */
    etag: z.string().optional(),
    mtimeMs: z.number().optional(),
  }),
})
export type FileErrorBody = z.infer<typeof FileErrorBody>
