import { BIN_PART } from '#contracts/panel/node-files.ts'
import type { BinEntry, Usage } from '#contracts/panel/node-files.ts'
import { LOG_FOLDERS, oldLogs } from '#domain/known-errors/clearing.ts'
import type { Clearing, LogFolder } from '#domain/known-errors/clearing.ts'
import { FileTrouble } from '../file-trouble.ts'
import type { NodeFiles } from '../node-files.ts'

export type ClearingNode = Pick<NodeFiles, 'call'>
/** The old logs that fit into the bin, and what the bin holds now. */
export type StoragePlan = {
  readonly logs: Clearing
  readonly bin: { readonly count: number; readonly bytes: number }
}
/** The logs that were moved into the bin, so that exactly these come back. */
export type ClearedLogs = { readonly entries: readonly Pick<BinEntry, 'id' | 'path'>[]; readonly bytes: number }

const logFolder = async (node: ClearingNode, path: string): Promise<LogFolder> => {
  try {
    return { path, entries: (await node.call('list', { path, order: 'time' })).entries }
  } catch (error) {
    if (error instanceof FileTrouble && (error.code === 'NOT_FOUND' || error.code === 'NOT_A_FOLDER'))
      return { path, entries: [] }
    throw error
  }
}

const bytesIn = (entries: readonly BinEntry[]): number => entries.reduce((sum, { bytes }) => sum + bytes, 0)

/** Looks at what can be cleared away on a node. */
export async function planClearing(node: ClearingNode, nowMs: number): Promise<StoragePlan> {
  const [folders, { entries }, { limitBytes }]: [LogFolder[], { entries: BinEntry[] }, Usage] = await Promise.all([
    Promise.all(LOG_FOLDERS.map((path) => logFolder(node, path))),
    node.call('bin', {}),
    node.call('usage', {}),
  ])
  const bytes = bytesIn(entries)
  return { logs: oldLogs(folders, limitBytes * BIN_PART - bytes, nowMs), bin: { count: entries.length, bytes } }
}

/** Moves the logs into the bin. Throws the first refusal where none was moved. */
export async function clearLogs(node: ClearingNode, { paths, bytes }: Clearing): Promise<ClearedLogs> {
  const before = new Set((await node.call('bin', {})).entries.map(({ id }) => id))
  const { refusals } = await node.call('delete', { paths: [...paths] })
  const { entries } = await node.call('bin', {})
  const moved = entries.filter(({ id, path }) => !before.has(id) && paths.includes(path))
  const refusal = refusals.find((each) => each !== null)
  if (moved.length === 0 && refusal) throw new FileTrouble(refusal)
  return {
    entries: moved.map(({ id, path }) => ({ id, path })),
    bytes: moved.length === paths.length ? bytes : bytesIn(moved),
  }
}

/**
 * Gives the logs their places back. One whose name something has now stays in the bin, with the trouble `ALREADY_EXISTS`; one that
 * is in the bin no longer, with `NOT_FOUND`. The others come back all the same.
 */
export async function restoreLogs(node: ClearingNode, { entries }: ClearedLogs): Promise<void> {
  const failures: unknown[] = []
  for (const { id } of entries) await node.call('restore', { id }).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}
