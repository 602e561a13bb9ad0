import fs from 'node:fs'
import path from 'node:path'
import { identityOf, isAlive, type ProcessIdentity } from './process-identity.ts'
import { AgentError } from './agent-error.ts'

/** More than any lock file needs. */
const LOCK_BYTES = 256

/** Two agents on one folder would start every server twice. Throws when another living agent holds the folder. */
export const lockDataFolder = (folder: string): void => {
  const file = path.join(folder, 'agent.lock')
  let holder: ProcessIdentity | undefined
  try {
    holder = JSON.parse(fs.readFileSync(file, 'utf8')) as ProcessIdentity
  } catch {
    holder = undefined
  }
  if (holder !== undefined && holder.pid !== process.pid && isAlive(holder)) {
    throw new AgentError('FOLDER_UNUSABLE', `Another agent (process ${holder.pid}) already uses ${folder}.`)
  }
  const text = JSON.stringify(identityOf(process.pid)).padEnd(LOCK_BYTES)
  // Overwrites the existing bytes: an agent must start even on a full disk.
  const handle = fs.openSync(file, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600)
  try {
    fs.writeSync(handle, text, 0)
    fs.ftruncateSync(handle, LOCK_BYTES)
  } finally {
    fs.closeSync(handle)
  }
}
