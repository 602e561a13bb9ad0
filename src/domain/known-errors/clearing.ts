/** Folders in which games keep logs and reports of earlier runs. */
export const LOG_FOLDERS = ['logs', 'crash-reports'] as const

export type LogEntry = { readonly name: string; readonly kind: string; readonly size: number; readonly mtimeMs: number }
export type LogFolder = { readonly path: string; readonly entries: readonly LogEntry[] }

/** A log that is still written is younger. */
const OLD_MS = 3_600_000
/** The newest log of each kind keeps its name while it is written. */
const CURRENT = /^(?:latest|debug|server|console)\.log$/i
const OF_LOG = /\.log(?:\.\d{1,4})?(?:\.gz)?$|^crash-.+\.txt$|^hs_err_pid\d+\.log$/i
/** A file takes whole blocks of the disk. */
const BLOCK_BYTES = 4_096
/** The most things of one request. */
const MOST = 1_000

/** Old logs with the room that they take. */
export type Clearing = { readonly paths: readonly string[]; readonly bytes: number }

const onDisk = (size: number): number => Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES

/**
 * Chooses the logs and crash reports of earlier runs that fit into what is left of the bin, the oldest first: the bin would
 * let go of something else for whatever exceeds it.
 */
export function oldLogs(folders: readonly LogFolder[], binLeftBytes: number, nowMs: number): Clearing {
  const old = folders.flatMap(({ path, entries }) =>
    entries
      .filter(({ name, kind, mtimeMs }) => kind === 'file' && OF_LOG.test(name) && nowMs - mtimeMs > OLD_MS)
      .filter(({ name }) => !CURRENT.test(name))
      .map(({ name, size, mtimeMs }) => ({ path: `${path}/${name}`, size, mtimeMs })),
  )
  const paths: string[] = []
  let bytes = 0
  for (const { path, size } of old.toSorted((one, other) => one.mtimeMs - other.mtimeMs)) {
    if (paths.length === MOST || bytes + onDisk(size) > binLeftBytes) break
    paths.push(path)
    bytes += onDisk(size)
  }
  return { paths, bytes }
}
