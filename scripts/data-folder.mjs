// The data folder of one installation: who uses it now, and what was done in it.
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { Refusal } from './preflight.mjs'
import { holderOf, releaseLock, tryLock } from './process-lock.mjs'

const lockOf = (dataDir) => join(dataDir, 'supervisor.pid')

/** Id of the supervisor that uses the folder, or undefined. */
export const userOf = (dataDir) => holderOf(lockOf(dataDir))

/** What a start writes before anything else; `lost+found` is the file system's own. */
const FIRST_FILES = /^(supervisor\.pid|state\.json|secrets\.json|lost\+found$)/

/** Whether the folder holds other things than the data of `npm start`. */
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
 * Takes the folder for this process, or refuses. Others may pass through it, because each server runs under a user of its
 * own; what is private in it has its own modes. Returns the function that
 * gives it back.
 */
export function takeDataFolder(dataDir) {
  mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  if (isForeign(dataDir)) {
    throw new Refusal(`${dataDir} holds other things than Bakter's data; BAKTER_DATA chooses a folder of its own.`)
  }
  // Servers run under users of their own, who must pass through to their folders; what is private is 0700 or 0600 below.
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o711)
  const user = tryLock(lockOf(dataDir))
  if (user !== undefined) throw secondUser(user, dataDir)
  return () => releaseLock(lockOf(dataDir))
}

/** Writes a file that only its owner reads, whole or not at all. */
export function writePrivately(file, value) {
  writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** What `writePrivately` wrote, or `{}`. Refuses a file that was cut off: to go on without it would lose what it says. */
export function readPrivately(file) {
  if (!existsSync(file)) return {}
  const text = readFileSync(file, 'utf8')
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal(`${file} is damaged: put a copy of it back, or delete the data with npm run reset.`)
  }
}
