import type { FileRefusal } from '#contracts/panel/file-refusals.ts'

/** A refusal of a file operation, by its code on the wire. */
export class FileFailure extends Error {
  override readonly name = 'FileFailure'
  readonly code: FileRefusal
  /** With `CHANGED`: the version on the disk. */
  readonly current: { readonly etag: string; readonly mtimeMs: number } | undefined

  constructor(code: FileRefusal, current?: FileFailure['current']) {
    super(code)
    this.code = code
    this.current = current
  }
}

const BY_ERRNO: Readonly<Record<string, FileRefusal>> = {
  ENOENT: 'NOT_FOUND',
  EEXIST: 'ALREADY_EXISTS',
  ENOTEMPTY: 'ALREADY_EXISTS',
  // Walking refuses a link in the place of a folder as "not a folder".
  ENOTDIR: 'NOT_A_FOLDER',
  EISDIR: 'NOT_A_FILE',
  ELOOP: 'LINK_REFUSED',
  ENAMETOOLONG: 'INVALID_PATH',
  EINVAL: 'INTO_ITSELF',
  EACCES: 'DENIED',
  EPERM: 'DENIED',
  EROFS: 'DENIED',
  ENXIO: 'NOT_A_FILE',
  ENOSPC: 'NO_SPACE',
  EDQUOT: 'NO_SPACE',
  EFBIG: 'NO_SPACE',
  EMFILE: 'BUSY',
  ENFILE: 'BUSY',
}

/** Node's errors for a request to a worker that has ended since its session was taken: the request can be sent again. */
const WORKER_ENDED: ReadonlySet<string> = new Set(['ERR_HTTP2_INVALID_SESSION', 'ERR_HTTP2_GOAWAY_SESSION'])

/**
 * The refusal for whatever a file operation threw: the disk's own error by its code, `BUSY` for a worker that has ended,
 * anything else is our mistake.
 */
export const refusalOf = (error: unknown): FileRefusal => {
  if (error instanceof FileFailure) return error.code
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  return WORKER_ENDED.has(code) ? 'BUSY' : (BY_ERRNO[code] ?? 'INTERNAL')
}

/** The refusals of bytes that have no room: the server's storage is full, or the disk of its node is. */
export type FullRefusal = Extract<FileRefusal, 'NO_SPACE' | 'NODE_FULL'>
export const isFull = (code: FileRefusal): code is FullRefusal => code === 'NO_SPACE' || code === 'NODE_FULL'

/** Whether the disk threw it: libraries for archives give codes of their own to their errors. */
export const isDiskError = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && 'code' in error && String(error.code) in BY_ERRNO

/** The result of an operation on one of several things: null when it is done. */
export const resultOf = async (run: () => Promise<unknown>): Promise<FileRefusal | null> => {
  try {
    await run()
    return null
  } catch (error) {
    return refusalOf(error)
  }
}
