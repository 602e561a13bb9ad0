import type { FileHandle } from 'node:fs/promises'
import type { Stats } from 'node:fs'
import type { HeldFolder } from '../../platform/held-folder.ts'
import { FileFailure, refusalOf } from '../file-failure.ts'
import type { OpenFlags } from '../session-wire.ts'

const NEW_FILE = 0o644

interface Opened {
  readonly file: FileHandle | undefined
  readonly isNew: boolean
  /** A file that is only read has neither. */
  readonly stats?: Stats
}

/** Opens a file as the flags want it. Throws `FORBIDDEN` without the permission that the file then needs. */
export const openAt = async (folder: HeldFolder, name: Buffer, flags: OpenFlags): Promise<Opened> => {
  if (flags.writes && flags.creates) return createOrOpen(folder, name, flags)
  if (flags.writes) return { file: await openToWrite(folder, name, flags), isNew: false }
  const found = await folder.file(name)
  return { file: found?.handle, isNew: false, ...(found === undefined ? {} : { stats: found.stats }) }
}

/** The file under a new name, or the one that is there. */
const createOrOpen = async (folder: HeldFolder, name: Buffer, flags: OpenFlags): Promise<Opened> => {
  if (!flags.mayCreate) {
    const file = await openToWrite(folder, name, flags).catch((error: unknown) => {
      throw refusalOf(error) === 'NOT_FOUND' ? new FileFailure('FORBIDDEN') : error
    })
    return { file, isNew: false }
  }
  try {
    return { file: await folder.create(name, NEW_FILE, flags.appends), isNew: true }
  } catch (error) {
    if (flags.exclusive || refusalOf(error) !== 'ALREADY_EXISTS') throw error
    return { file: await openToWrite(folder, name, flags), isNew: false }
  }
}

const openToWrite = (
  folder: HeldFolder,
  name: Buffer,
  { mayChange, appends }: OpenFlags,
): Promise<FileHandle | undefined> => {
  if (!mayChange) throw new FileFailure('FORBIDDEN')
  return folder.fileToWrite(name, appends)
}
