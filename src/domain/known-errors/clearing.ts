/** Folders in which games keep logs and reports of earlier runs. */
export const LOG_FOLDERS = ['logs', 'crash-reports'] as const

export type LogEntry = { readonly name: string; readonly kind: string; readonly size: number; readonly mtimeMs: number }
export type LogFolder = { readonly path: string; readonly entries: readonly LogEntry[] }

/** The newest log of each kind keeps its name while it is written. */
const CURRENT = /^(?:latest|debug|server|console)\.log$/i
const OF_LOG = /\.log(?:\.\d{1,4})?(?:\.gz)?$|^crash-.+\.txt$/i
/** A file takes whole blocks of the disk. */
const BLOCK_BYTES = 4_096
/** The most files of one click: to undo it each of them comes back by a call of its own. */
const MOST = 1_000

type OldLog = { readonly path: string; readonly size: number; readonly mtimeMs: number }
/** Old logs with the room that they take. */
export type Clearing = { readonly logs: readonly OldLog[]; readonly bytes: number }

const onDisk = (size: number): number => Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES

/**
 * Chooses the logs and crash reports of earlier runs that fit into what is left of the bin, the oldest first: the bin would
 * let go of something else for whatever exceeds it. `sinceMs` is the start of the present run by the node's clock, null without one.
 */
export function oldLogs(folders: readonly LogFolder[], binLeftBytes: number, sinceMs: number | null): Clearing {
  const old = folders.flatMap(({ path, entries }) =>
    entries
      .filter(({ name, kind }) => kind === 'file' && OF_LOG.test(name) && !CURRENT.test(name))
      .filter(({ mtimeMs }) => sinceMs === null || mtimeMs < sinceMs)
      .map(({ name, size, mtimeMs }) => ({ path: `${path}/${name}`, size, mtimeMs })),
  )
  const logs: OldLog[] = []
  let bytes = 0
  for (const log of old.toSorted((one, other) => one.mtimeMs - other.mtimeMs)) {
    if (logs.length === MOST) break
    // A large one leaves the room to those after it.
    if (bytes + onDisk(log.size) > binLeftBytes) continue
    logs.push(log)
    bytes += onDisk(log.size)
  }
  return { logs, bytes }
}
