import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FILE_WORKER_RECORD, recordedIdentity, statFields } from '../../platform/process-identity.ts'
import { ENVIRONMENT_MARK, readSpec } from './task-files.ts'

const ROUNDS = 200
const BETWEEN_MS = 10

export interface TaskOwner {
  readonly taskId: string
  /** The server's own user; null where servers share the agent's. */
  readonly uid: number | null
  /** Older processes do not belong to the task. */
  readonly startTicks: string
  /** The server's folder with the agent's records. */
  readonly stateFolder: string
}

const read = (file: string): string => {
  try {
    return fs.readFileSync(file, 'latin1')
  } catch {
    // It ended meanwhile, or belongs to another user.
    return ''
  }
}

const isOfUser = (pid: number, uid: number): boolean =>
  new RegExp(`^Uid:\\t${uid}\\t`, 'm').test(read(`/proc/${pid}/status`))

const allPids = (): number[] =>
  fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

const shimFolder = (pid: number): string => read(`/proc/${pid}/cmdline`).split('\0').at(-2) ?? ''

/** Whether the process really is one of our shims, not a look-alike, and runs the task under the user. */
const isShimOf = (pid: number, taskId: string, uid: number): boolean => {
  const folder = shimFolder(pid)
  if (path.basename(folder) !== taskId || !isOfUser(pid, process.getuid?.() ?? -1)) return false
  return readSpec(folder)?.uid === uid
}

const livesWithUser = (taskId: string, uid: number): boolean => allPids().some((pid) => isShimOf(pid, taskId, uid))

/**
 * Whether the process descends from the living shim of another task of this user: it then belongs to that task,
 * whatever mark it carries or has dropped. A program that its shim has just forked carries none yet.
 */
const descendsFromOther = (parent: number, { taskId, uid }: TaskOwner): boolean => {
  for (let pid = parent; pid > 1; pid = Number(statFields(pid)?.[1] ?? 0)) {
    const other = path.basename(shimFolder(pid))
    if (other !== taskId && uid !== null && isShimOf(pid, other, uid)) return true
  }
  return false
}

/** Whether the agent has recorded the process as its own; no program of the server can write there. */
const isFileWorker = (pid: number, startTicks: string | undefined, stateFolder: string): boolean => {
  const recorded = recordedIdentity(path.join(stateFolder, FILE_WORKER_RECORD))
  return recorded?.pid === pid && recorded.startTicks === startTicks
}

const belongs = (pid: number, owner: TaskOwner): boolean => {
  const { taskId, uid, startTicks, stateFolder } = owner
  const fields = statFields(pid)
  if (fields === undefined || fields[0] === 'Z' || Number(fields[19]) < Number(startTicks)) return false
  const parent = Number(fields[1])
  // Its unpacker is its child, and ends with it.
  const isWorking = [pid, parent].some((each) => isFileWorker(each, statFields(each)?.[19], stateFolder))
  if (isWorking) return false
  const marks = read(`/proc/${pid}/environ`)
    .split('\0')
    .filter((entry) => entry.startsWith(`${ENVIRONMENT_MARK}=`))
  if (marks.includes(`${ENVIRONMENT_MARK}=${taskId}`)) return true
  if (uid === null || !isOfUser(pid, uid)) return false
  // Two agents on one machine may give the same user to their servers. Any program can set any mark, so a mark counts
  // only if its task runs under this very user: otherwise a name would be enough to survive a kill.
  if (marks.some((mark) => livesWithUser(mark.slice(ENVIRONMENT_MARK.length + 1), uid))) return false
  return !descendsFromOther(parent, owner)
}

/** Processes of the task, even in separate sessions, reparented to init, or with another environment. */
export const leftoversOf = (owner: TaskOwner): number[] =>
  allPids().filter((pid) => pid !== process.pid && belongs(pid, owner))

/** Ends a program's remaining processes, repeatedly until no new ones appear, because they may be multiplying. */
export const endLeftovers = async (owner: TaskOwner): Promise<void> => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const pids = leftoversOf(owner)
    if (pids.length === 0) return
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It ended by itself meanwhile.
      }
    }
    await sleep(BETWEEN_MS)
  }
}
