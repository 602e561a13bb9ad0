import type { Log } from '#platform/logger.ts'
import type { Bundles } from '../platform/bundles.ts'
import type { Disk } from '../platform/disk.ts'
import { identityOf, recordedIdentity } from '../platform/process-identity.ts'
import { FileWorkers } from './file-workers.ts'

type RecordingDeps = { readonly bundles: Bundles; readonly disk: Disk; readonly log: Log }

/** The shim, which ends all other processes of a server's user, spares the one that is recorded. */
export const createFileWorkers = ({ bundles, disk, log }: RecordingDeps): FileWorkers =>
  new FileWorkers({
    program: bundles.fileWorker,
    unpacker: bundles.unpacker,
    log,
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
