import fs from 'node:fs'
import path from 'node:path'

/** The disk operations of the agent's own records. */
export interface Disk {
  /** The file's text, or undefined if it does not exist. */
  read(file: string): string | undefined
  /** After a crash the file holds either the old text or the new one. */
  writeAtomically(file: string, text: string): void
  /** Reserves at least this many bytes beside the file for `writeInReserve` on a full disk. */
  reserve(file: string, bytes: number): void
  /** As `writeAtomically`, in the reserved space. The file's previous content becomes the next reserve. */
  writeInReserve(file: string, text: string): void
  makeFolder(folder: string, mode: number): void
  list(folder: string): string[]
  remove(target: string): void
  rename(from: string, to: string): void
}

const missing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

const syncFolder = (folder: string): void => {
  const handle = fs.openSync(folder, 'r')
  try {
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}

const writeWhole = (file: string, text: string): void => {
  const handle = fs.openSync(file, 'w', 0o600)
  try {
    fs.writeFileSync(handle, text)
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}

/** Space is reserved in whole blocks, as disks allocate it. */
const BLOCK_BYTES = 4_096
const reserveOf = (file: string): string => `${file}.reserve`
/** The file's previous content, which becomes the reserve. */
const formerOf = (file: string): string => `${file}.former`

/** Completes an exchange of file and reserve that a crash interrupted. */
const finishExchange = (file: string): void => {
  if (!fs.existsSync(formerOf(file))) return
  if (fs.existsSync(reserveOf(file))) fs.rmSync(formerOf(file))
  else fs.renameSync(formerOf(file), reserveOf(file))
}

/**
 * By writing, because a sparse file takes no space. Existing bytes stay, since a nearly full disk might not give them
 * back.
 */
const takeRoom = (name: string, bytes: number): void => {
  const handle = fs.openSync(name, 'a', 0o600)
  try {
    const whole = Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES
    const missing = whole - fs.fstatSync(handle).size
    if (missing <= 0) return
    fs.writeFileSync(handle, ' '.repeat(missing))
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}

/** Overwrites the existing bytes, and pads with blanks, which are ignored in JSON. */
const writeOver = (name: string, text: string): void => {
  const handle = fs.openSync(name, 'r+')
  try {
    const bytes = Buffer.alloc(Math.max(Buffer.byteLength(text), fs.fstatSync(handle).size), ' ')
    bytes.write(text)
    for (let at = 0; at < bytes.length;) at += fs.writeSync(handle, bytes, at, bytes.length - at, at)
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}

export const realDisk: Disk = {
  read: (file) => {
    try {
      return fs.readFileSync(file, 'utf8')
    } catch (error) {
      if (missing(error)) return undefined
      throw error
    }
  },
  writeAtomically: (file, text) => {
    const temporary = `${file}.tmp`
    try {
      writeWhole(temporary, text)
      fs.renameSync(temporary, file)
    } catch (error) {
      // On a full disk even a partial file takes space from later writes.
      fs.rmSync(temporary, { force: true })
      throw error
    }
    syncFolder(path.dirname(file))
  },
  reserve: (file, bytes) => {
    finishExchange(file)
    takeRoom(reserveOf(file), bytes)
  },
  writeInReserve: (file, text) => {
    finishExchange(file)
    writeOver(reserveOf(file), text)
    // No step frees a block, so that a program that fills the disk cannot take it.
    fs.linkSync(file, formerOf(file))
    fs.renameSync(reserveOf(file), file)
    fs.renameSync(formerOf(file), reserveOf(file))
    syncFolder(path.dirname(file))
  },
  makeFolder: (folder, mode) => {
    fs.mkdirSync(folder, { recursive: true, mode })
  },
  list: (folder) => {
    try {
      return fs.readdirSync(folder).sort()
    } catch (error) {
      if (missing(error)) return []
      throw error
    }
  },
  remove: (target) => {
    fs.rmSync(target, { recursive: true, force: true })
  },
  rename: (from, to) => {
    fs.renameSync(from, to)
  },
}
