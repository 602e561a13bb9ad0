import fs from 'node:fs'
import path from 'node:path'

/** The few things that the agent's own records need of a disk. */
export interface Disk {
  /** Text of the file, or undefined when there is none. */
  read(file: string): string | undefined
  /** The file holds the old text or the new one, whenever the machine stops. */
  writeAtomically(file: string, text: string): void
  /** Takes room for at least so many bytes beside the file, which `writeInReserve` can use when the disk is full. */
  reserve(file: string, bytes: number): void
  /** As `writeAtomically`, in the reserved room. What the file held until now is the reserve of the next time. */
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

/** Room is taken in whole blocks, as disks give it. */
const BLOCK_BYTES = 4_096
const reserveOf = (file: string): string => `${file}.reserve`
/** What the file held before, on its way to be the reserve. */
const formerOf = (file: string): string => `${file}.former`

/** Goes on where a crash left the exchange of file and reserve. */
const finishExchange = (file: string): void => {
  if (!fs.existsSync(formerOf(file))) return
  if (fs.existsSync(reserveOf(file))) fs.rmSync(formerOf(file))
  else fs.renameSync(formerOf(file), reserveOf(file))
}

/** By writing: a hole in a file takes no room. What is there stays, or a disk with too little left would give it away. */
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

/** Over the bytes that are there, and blanks over the rest: they mean nothing in JSON. */
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
      // On a disk that is full even half a file is in the way of what comes next.
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
    // No step gives back a block, so that whoever fills the disk cannot take it.
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
