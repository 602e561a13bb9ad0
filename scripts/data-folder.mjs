// The data folder of one installation: who uses it now, and what was done in it.
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

import { Refusal } from './preflight.mjs'

/** When the process started, in ticks since boot: with the id it names one process for ever. Undefined when it is gone. */
function startTicks(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}

/** Id of the supervisor that uses the folder, or undefined. */
export function userOf(dataDir) {
  const file = join(dataDir, 'supervisor.pid')
  if (!existsSync(file)) return undefined
  const [pid, ticks] = readFileSync(file, 'utf8').trim().split(' ')
  return ticks !== undefined && startTicks(pid) === ticks ? Number(pid) : undefined
}

/** Refuses when another supervisor uses the folder. */
export function refuseSecondUser(dataDir) {
  const user = userOf(dataDir)
  if (user !== undefined)
    throw new Refusal(`Process ${user} already runs Bakter in ${dataDir}; BAKTER_DATA chooses another folder.`)
}

/**
 * Takes the folder for this process, or refuses. Others may pass through it, because each server runs under a user of its
 * own; what is private in it has its own modes. Returns the function that
 * gives it back.
 */
export function takeDataFolder(dataDir) {
  mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  // Servers run under users of their own, who must pass through to their folders; what is private is 0700 or 0600 below.
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o711)
  const file = join(dataDir, 'supervisor.pid')
  for (let attempt = 0; ; attempt += 1) {
    refuseSecondUser(dataDir)
    rmSync(file, { force: true })
    try {
      const descriptor = openSync(file, 'wx', 0o600)
      writeSync(descriptor, `${process.pid} ${startTicks(process.pid)}\n`)
      closeSync(descriptor)
      break
    } catch (error) {
      if (attempt > 2) throw error
    }
  }
  return () => rmSync(file, { force: true })
}

/** Writes a file that only its owner reads, whole or not at all. */
export function writePrivately(file, value) {
  writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** What `writePrivately` wrote, or `{}`. */
export const readPrivately = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {})
