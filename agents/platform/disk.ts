import fs from 'node:fs'
import path from 'node:path'

/** The few things that the agent's own records need of a disk. */
export interface Disk {
  /** Text of the file, or undefined when there is none. */
  read(file: string): string | undefined
  /** The file holds the old text or the new one, whenever the machine stops. */
  writeAtomically(file: string, text: string): void
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
    const handle = fs.openSync(temporary, 'w', 0o600)
    try {
      fs.writeFileSync(handle, text)
      fs.fsyncSync(handle)
    } catch (error) {
      // Half a text on a full disk would only take the room that the next attempt needs.
      fs.rmSync(temporary, { force: true })
      throw error
    } finally {
      fs.closeSync(handle)
    }
    fs.renameSync(temporary, file)
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
