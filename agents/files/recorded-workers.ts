import fs from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { FaultPlan } from '#platform/fault-plan.ts'
import type { Log } from '#platform/logger.ts'
import type { Bundles } from '../platform/bundles.ts'
import type { Disk } from '../platform/disk.ts'
import { identityOf, isAlive, recordedIdentity } from '../platform/process-identity.ts'
import { FILE_WORKER_MARK, FileWorkers } from './file-workers.ts'

type RecordingDeps = {
  readonly bundles: Bundles
  readonly disk: Disk
  readonly log: Log
  readonly settings: { readonly fault?: FaultPlan | undefined }
}

/** How long a worker whose agent was killed has to end by itself. */
const ALONE_MS = 2_000
const LOOK_MS = 25

/** Whether the process is a file worker: one that only a record names is never ended by force. */
const isWorker = (pid: number): boolean => {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0').includes(FILE_WORKER_MARK)
  } catch {
    return false
  }
}

/** Ends a process by force; nothing for one that has ended meanwhile. */
const endByForce = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/**
 * Waits for the worker that a killed agent has left, and ends it when it takes too long: beside a new one, each would take
 * the other's half-made files for those of a dead one.
 */
const endLeftover = async (stateFile: string): Promise<void> => {
  const leftover = recordedIdentity(stateFile)
  if (leftover === undefined) return
  const isThere = (): boolean => isAlive(leftover) && isWorker(leftover.pid)
  for (let waitedMs = 0; isThere() && waitedMs < ALONE_MS; waitedMs += LOOK_MS) await wait(LOOK_MS)
  if (!isThere()) return
  endByForce(leftover.pid)
  while (isThere()) await wait(LOOK_MS)
}

/** The shim, which ends all other processes of a server's user, spares the one that is recorded. */
export const createFileWorkers = ({ bundles, disk, log, settings }: RecordingDeps): FileWorkers =>
  new FileWorkers({
    program: bundles.fileWorker,
    unpacker: bundles.unpacker,
    log,
    fault: settings.fault,
    endLeftover: ({ stateFile }) => endLeftover(stateFile),
    began: ({ serverId, stateFile }, pid) => {
      try {
        disk.writeAtomically(stateFile, JSON.stringify(identityOf(pid)))
      } catch (error) {
        // Without its record the worker is ended with the server's program, and started again by the next request.
        log.warn({ serverId, err: error }, 'a file worker is not recorded')
      }
    },
    // The next worker may have begun, and its record stays.
    ended: ({ stateFile }, pid) => {
      if (recordedIdentity(stateFile)?.pid === pid) disk.remove(stateFile)
    },
  })
