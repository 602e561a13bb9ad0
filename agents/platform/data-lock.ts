import fs from 'node:fs'
import path from 'node:path'
import { identityOf, isAlive, type ProcessIdentity } from './process-identity.ts'
import { AgentError } from './agent-error.ts'

/** Two agents on one folder would start every server twice. Throws when another one that lives holds the folder. */
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
  fs.writeFileSync(file, JSON.stringify(identityOf(process.pid)), { mode: 0o600 })
}
