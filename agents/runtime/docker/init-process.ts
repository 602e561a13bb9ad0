import fs from 'node:fs'
import type { Clock } from '#platform/clock.ts'
import { identityOf, isAlive, type ProcessIdentity } from '../../platform/process-identity.ts'
import { sleep, type Timers } from '../../platform/timers.ts'

const HANDOVER_MS = 5_000
const HANDOVER_LOOK_MS = 5

const read = (file: string): string | undefined => {
  try {
    return fs.readFileSync(file, 'latin1')
  } catch {
    return undefined
  }
}

/** No process at all: what is asked of it is asked of the engine. */
const NONE: ProcessIdentity = { pid: 0, startTicks: '' }

/**
 * The container's first process as this node's kernel knows it. An agent that sees other process ids than the engine would
 * take a stranger for it: the process's cgroup must name the container.
 */
export const initProcessOf = (pid: number, containerId: string): ProcessIdentity => {
  if (pid < 1) return NONE
  const process = identityOf(pid)
  return read(`/proc/${pid}/cgroup`)?.includes(containerId) === true ? process : NONE
}

/**
 * Whether the engine's init process (the container's first) has handed over to the program: its child is a copy of itself
 * until then. Undefined where the kernel does not tell, or the process is gone. `readFile` answers a file's text, or undefined.
 */
export const hasHandedOver = (pid: number, readFile = read): boolean | undefined => {
  const [child] = readFile(`/proc/${pid}/task/${pid}/children`)?.trim().split(' ') ?? []
  // After the children: the engine's own starter, which makes none, becomes the init process only while it is looked at.
  const init = readFile(`/proc/${pid}/cmdline`)?.split('\0')[0]
  if (child === undefined || init === undefined) return undefined
  // What is just becoming another program has no command line for a moment.
  if (child === '' || init === '') return false
  const program = readFile(`/proc/${child}/cmdline`)?.split('\0')[0]
  return program !== undefined && program !== '' && program !== init
}

/** Resolves when the program has taken over or the process has gone, at the latest after five seconds. */
export const awaitHandover = async (
  process: ProcessIdentity,
  deps: { readonly clock: Clock; readonly timers: Timers },
): Promise<void> => {
  const deadline = deps.clock.now() + HANDOVER_MS
  while (isAlive(process) && hasHandedOver(process.pid) === false && deps.clock.now() < deadline) {
    await sleep(deps.timers, HANDOVER_LOOK_MS)
  }
}

/** What the init process prints, and the code it ends with, when there is no such program in the image. */
export const INIT_FAILURE = /^\[FATAL tini.*exec (.+) failed: (.+)$/
export const INIT_FAILURE_CODES: readonly number[] = [126, 127]
