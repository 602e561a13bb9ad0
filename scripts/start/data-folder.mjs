// The data folder of one installation: its current user, and its recorded steps.
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { Refusal } from './preflight.mjs'
import { holderOf, releaseLock, tryLock } from './process-lock.mjs'

const lockOf = (dataDir) => join(dataDir, 'supervisor.pid')

/** Id of the supervisor that uses the folder, or undefined. */
export const userOf = (dataDir) => holderOf(lockOf(dataDir))

/** Files that a start writes first; `lost+found` belongs to the file system. */
const FIRST_FILES = /^(supervisor\.pid|state\.json|secrets\.json|lost\+found$)/

/** Whether the folder contains anything but the data of `npm start`. */
export function isForeign(dataDir) {
  const names = readdirSync(dataDir)
  return !names.includes('secrets.json') && names.some((name) => !FIRST_FILES.test(name))
}

const secondUser = (user, dataDir) =>
  new Refusal(`Process ${user} already runs Bakter in ${dataDir}; BAKTER_DATA chooses another folder.`)

/** Refuses when another supervisor uses the folder. */
export function refuseSecondUser(dataDir) {
  const user = userOf(dataDir)
  if (user !== undefined) throw secondUser(user, dataDir)
}

/**
 * Takes the folder for this process, or refuses. Others may enter it, because each server runs under its own user;
 * private files in it have their own modes. Returns the function that releases it.
 */
export function takeDataFolder(dataDir) {
  mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  if (isForeign(dataDir)) {
    throw new Refusal(`${dataDir} holds other things than Bakter's data; BAKTER_DATA chooses a folder of its own.`)
  }
  // Servers run under their own users, who must reach their folders; private files are 0700 or 0600.
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o711)
  const user = tryLock(lockOf(dataDir))
  if (user !== undefined) throw secondUser(user, dataDir)
  return () => releaseLock(lockOf(dataDir))
}

/** Writes a file readable only by its owner, atomically. */
export function writePrivately(file, value) {
  writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/**
 * The content written by `writePrivately`, or `{}`. Refuses a truncated file, because continuing would lose its
 * content.
 */
export function readPrivately(file) {
  if (!existsSync(file)) return {}
  const text = readFileSync(file, 'utf8')
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal(`${file} is damaged: put a copy of it back, or delete the data with npm run reset.`)
  }
}
