import type { Permission } from './permissions.ts'

/** Requires nothing beyond the sign-in, which itself requires `file.sftp`. */
const SIGNED_IN = null
/** Nobody has it here. */
const UNSUPPORTED = 'unsupported'
/** By what happens to the file. */
const WRITES = { create: 'file.create', change: 'file.update' } as const

/** The permission required by each request of SFTP (version 3). A request without a row has no handler. */
export const PERMISSION_OF_SFTP_VERB = {
  OPEN: { read: 'file.read', ...WRITES },
  READ: 'file.read',
  WRITE: WRITES,
  CLOSE: SIGNED_IN,
  STAT: 'file.list',
  LSTAT: 'file.list',
  FSTAT: 'file.list',
  SETSTAT: 'file.update',
  FSETSTAT: WRITES,
  OPENDIR: 'file.list',
  READDIR: 'file.list',
  READLINK: 'file.list',
  /** The name alone, calculated without a look at the disk. */
  REALPATH: SIGNED_IN,
  MKDIR: 'file.create',
  RMDIR: 'file.update',
  REMOVE: 'file.update',
  RENAME: 'file.update',
  /** Nothing here would follow a link. */
  SYMLINK: UNSUPPORTED,
  EXTENDED: UNSUPPORTED,
} as const satisfies Record<string, Permission | Readonly<Record<string, Permission>> | null | 'unsupported'>

export type SftpVerb = keyof typeof PERMISSION_OF_SFTP_VERB
