import type { Attributes, FileEntry, InputAttributes } from 'ssh2'
import type { AttributeChange, FileAttributes, FolderEntry } from '../files/session-wire.ts'

const TYPES = { file: 0o100000, folder: 0o040000, link: 0o120000, other: 0o010000 } as const
const LETTERS = { file: '-', folder: 'd', link: 'l', other: 'p' } as const
const SECOND_MS = 1_000
/** Nobody learns the users of the node: everything seems to be the reader's own. */
const OWNER = { uid: 1_000, gid: 1_000 } as const
const RIGHTS = ['---', '--x', '-w-', '-wx', 'r--', 'r-x', 'rw-', 'rwx'] as const

/** Attributes as SFTP 3 has them (draft-ietf-secsh-filexfer-02, section 5). */
export const attrsOf = ({ kind, size, mode, mtimeMs, atimeMs }: FileAttributes): Attributes => ({
  ...OWNER,
  mode: TYPES[kind] | mode,
  size,
  atime: Math.floor(atimeMs / SECOND_MS),
  mtime: Math.floor(mtimeMs / SECOND_MS),
})

const rightsOf = (mode: number): string => [6, 3, 0].map((shift) => RIGHTS[(mode >> shift) & 7]).join('')

/** An entry of a folder, with the line that clients show for `ls -l`. */
export const entryOf = ({ name, attributes }: FolderEntry): FileEntry => {
  const { kind, mode, size, mtimeMs } = attributes
  const day = new Date(mtimeMs).toISOString().slice(0, 16).replace('T', ' ')
  const longname = `${LETTERS[kind]}${rightsOf(mode)} 1 server server ${String(size).padStart(12)} ${day} ${name}`
  return { filename: name, longname, attrs: attrsOf(attributes) }
}

/**
 * The attributes that a client wants to change. Owners are not changed, and not refused: many clients send them with
 * everything.
 */
export const changeOf = ({ mode, size, atime, mtime }: InputAttributes): AttributeChange => ({
  ...(mode === undefined ? {} : { mode: Number(mode) }),
  ...(size === undefined ? {} : { size }),
  ...(atime === undefined || mtime === undefined
    ? {}
    : { times: { atimeMs: Number(atime) * SECOND_MS, mtimeMs: Number(mtime) * SECOND_MS } }),
})
