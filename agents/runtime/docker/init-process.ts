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

/** No process at all: requests go to the engine. */
const NONE: ProcessIdentity = { pid: 0, startTicks: '' }

/**
 * The container's first process as seen by this node's kernel. An agent in another pid namespace than the engine would
 * mistake another process for it: the process's cgroup must name the container.
 */
export const initProcessOf = (pid: number, containerId: string): ProcessIdentity => {
  if (pid < 1) return NONE
  const process = identityOf(pid)
  return read(`/proc/${pid}/cgroup`)?.includes(containerId) === true ? process : NONE
}

/**
 * Whether the engine's init process (the container's first) has started the program: until then its child is a copy of
 * itself. Undefined if the kernel does not tell, or the process is gone. `readFile` returns a file's text, or
 * undefined.
 */
export const hasHandedOver = (pid: number, readFile = read): boolean | undefined => {
  const [child] = readFile(`/proc/${pid}/task/${pid}/children`)?.trim().split(' ') ?? []
  // Read after the children: the engine's own starter, which has none, may become the init process between the reads.
  const init = readFile(`/proc/${pid}/cmdline`)?.split('\0')[0]
  if (child === undefined || init === undefined) return undefined
  // A process in the middle of exec briefly has no command line.
  if (child === '' || init === '') return false
  const program = readFile(`/proc/${child}/cmdline`)?.split('\0')[0]
  return program !== undefined && program !== '' && program !== init
}

/** Resolves when the program has started or the process has gone, at the latest after five seconds. */
export const awaitHandover = async (
  process: ProcessIdentity,
  deps: { readonly clock: Clock; readonly timers: Timers },
): Promise<void> => {
  const deadline = deps.clock.now() + HANDOVER_MS
  while (isAlive(process) && hasHandedOver(process.pid) === false && deps.clock.now() < deadline) {
    await sleep(deps.timers, HANDOVER_LOOK_MS)
  }
}

/** The output and exit code of the init process when the image does not contain the program. */
export const INIT_FAILURE = /^\[FATAL tini.*exec (.+) failed: (.+)$/
export const INIT_FAILURE_CODES: readonly number[] = [126, 127]
