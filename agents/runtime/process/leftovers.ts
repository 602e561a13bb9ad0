import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { statFields } from '../../platform/process-identity.ts'
import { ENVIRONMENT_MARK, readSpec } from './task-files.ts'

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

const isOfUser = (pid: number, uid: number): boolean =>
  new RegExp(`^Uid:\\t${uid}\\t`, 'm').test(read(`/proc/${pid}/status`))

const allPids = (): number[] =>
  fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

const shimFolder = (pid: number): string => read(`/proc/${pid}/cmdline`).split('\0').at(-2) ?? ''

/** Whether the process is a shim that is ours, and not a program that looks like one, and runs the task under the user. */
const isShimOf = (pid: number, taskId: string, uid: number): boolean => {
  const folder = shimFolder(pid)
  if (path.basename(folder) !== taskId || !isOfUser(pid, process.getuid?.() ?? -1)) return false
  return readSpec(folder)?.uid === uid
}

const livesWithUser = (taskId: string, uid: number): boolean => allPids().some((pid) => isShimOf(pid, taskId, uid))

/**
 * Whether the process descends from the living shim of another task of this user: it is that task's, whatever mark it
 * wears or has laid off. A program that its shim has just forked wears none yet.
 */
const descendsFromOther = (parent: number, { taskId, uid }: TaskOwner): boolean => {
  for (let pid = parent; pid > 1; pid = Number(statFields(pid)?.[1] ?? 0)) {
    const other = path.basename(shimFolder(pid))
    if (other !== taskId && uid !== null && isShimOf(pid, other, uid)) return true
  }
  return false
}

const belongs = (pid: number, owner: TaskOwner): boolean => {
  const { taskId, uid, startTicks } = owner
  const fields = statFields(pid)
  if (fields === undefined || fields[0] === 'Z' || Number(fields[19]) < Number(startTicks)) return false
  const marks = read(`/proc/${pid}/environ`)
    .split('\0')
    .filter((entry) => entry.startsWith(`${ENVIRONMENT_MARK}=`))
  if (marks.includes(`${ENVIRONMENT_MARK}=${taskId}`)) return true
  if (uid === null || !isOfUser(pid, uid)) return false
  // Two agents of one machine may give the same user to their servers. Any program can write any mark, so one counts only
  // where its task lives with this very user: else a name would be all that it takes to outlive a kill.
  if (marks.some((mark) => livesWithUser(mark.slice(ENVIRONMENT_MARK.length + 1), uid))) return false
  return !descendsFromOther(Number(fields[1]), owner)
}

/** Processes of the task wherever they went: into sessions of their own, below init, or under another environment. */
export const leftoversOf = (owner: TaskOwner): number[] =>
  allPids().filter((pid) => pid !== process.pid && belongs(pid, owner))

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
