import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { statFields } from '../../platform/process-identity.ts'
import { ENVIRONMENT_MARK } from './task-files.ts'

const ROUNDS = 200
const BETWEEN_MS = 10

export interface TaskOwner {
  readonly taskId: string
  /** The server's own user; null where servers share the agent's. */
  readonly uid: number | null
  /** Nothing that is older belongs to the task. */
  readonly startTicks: string
}

const read = (file: string): string => {
  try {
    return fs.readFileSync(file, 'latin1')
  } catch {
    // It ended in between, or is another user's.
    return ''
  }
}

const belongs = (pid: number, { taskId, uid, startTicks }: TaskOwner): boolean => {
  const fields = statFields(pid)
  if (fields === undefined || fields[0] === 'Z' || Number(fields[19]) < Number(startTicks)) return false
  const marks = read(`/proc/${pid}/environ`)
    .split('\0')
    .filter((entry) => entry.startsWith(`${ENVIRONMENT_MARK}=`))
  // Another task's mark: two agents of one machine may give the same user to their servers.
  if (marks.length > 0) return marks.includes(`${ENVIRONMENT_MARK}=${taskId}`)
  return uid !== null && new RegExp(`^Uid:\\t${uid}\\t`, 'm').test(read(`/proc/${pid}/status`))
}

/** Processes of the task wherever they went: into sessions of their own, below init, or under another environment. */
export const leftoversOf = (owner: TaskOwner): number[] =>
  fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && belongs(pid, owner))

/** Ends what a program has left behind, again until nothing new appears: it may be multiplying. */
export const endLeftovers = async (owner: TaskOwner): Promise<void> => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const pids = leftoversOf(owner)
    if (pids.length === 0) return
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It ended by itself in between.
      }
    }
    await sleep(BETWEEN_MS)
  }
}
