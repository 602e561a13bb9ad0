import fs from 'node:fs'

export interface ProtectedFile {
  readonly text: string
  readonly isFile: boolean
  /** Permission bits of owner, group and others. */
  readonly mode: number
  readonly uid: number
}

/** Reads a file and its permissions from the same descriptor. Throws the disk's error. */
export const readProtectedFile = (file: string): ProtectedFile => {
  const handle = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK)
  try {
    const { mode, uid } = fs.fstatSync(handle)
    const isFile = (mode & fs.constants.S_IFMT) === fs.constants.S_IFREG
    return { text: isFile ? fs.readFileSync(handle, 'utf8') : '', isFile, mode: mode & 0o777, uid }
  } finally {
    fs.closeSync(handle)
  }
}
