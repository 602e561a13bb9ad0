import { BIN_PART, MAX_CHOSEN } from '#contracts/panel/node-files.ts'
import type { BinEntry } from '#contracts/panel/node-files.ts'
import { LOG_FOLDERS, oldLogs } from '#domain/known-errors/clearing.ts'
import type { Clearing, LogFolder } from '#domain/known-errors/clearing.ts'
import { FileTrouble } from '../file-trouble.ts'
import type { NodeFiles } from '../node-files.ts'
import { portionsOf } from '../portions.ts'
import type { Rest } from './use-file-fix.ts'

export type ClearingNode = Pick<NodeFiles, 'call'>
/** The old logs that fit into the bin, and what the bin holds now. */
export type StoragePlan = {
  readonly old: Clearing
  readonly bin: { readonly ids: readonly string[]; readonly bytes: number }
}
/** The logs that were moved into the bin, so that exactly these come back. */
export type ClearedLogs = {
  readonly entries: readonly Pick<BinEntry, 'id' | 'path' | 'bytes'>[]
  readonly bytes: number
}

const logFolder = async (node: ClearingNode, path: string): Promise<LogFolder> => {
  try {
    return { path, entries: (await node.call('list', { path, order: 'time' })).entries }
  } catch (error) {
    if (error instanceof FileTrouble && (error.code === 'NOT_FOUND' || error.code === 'NOT_A_FOLDER'))
      return { path, entries: [] }
    throw error
  }
}

const bytesIn = (entries: readonly Pick<BinEntry, 'bytes'>[]): number =>
  entries.reduce((sum, { bytes }) => sum + bytes, 0)

/** Looks at what can be cleared away on a node. */
export async function planClearing(node: ClearingNode): Promise<StoragePlan> {
  const [folders, { entries }, { limitBytes }, { sinceMs }] = await Promise.all([
    Promise.all(LOG_FOLDERS.map((path) => logFolder(node, path))),
    node.call('bin', {}),
    node.call('usage', {}),
    node.call('running-since', {}),
  ])
  const bytes = bytesIn(entries)
  return {
    old: oldLogs(folders, limitBytes * BIN_PART - bytes, sinceMs),
    bin: { ids: entries.map(({ id }) => id), bytes },
  }
}

/**
 * Moves the logs that were shown into the bin. Throws `CHANGED` where they are others by now or the bin has no room for them any
 * more, and the first refusal where none was moved.
 */
export async function clearLogs(node: ClearingNode, shown: StoragePlan): Promise<ClearedLogs> {
  const { old, bin } = await planClearing(node)
  if (JSON.stringify(old) !== JSON.stringify(shown.old)) throw new FileTrouble('CHANGED')
  const before = new Set(bin.ids)
  const paths = old.logs.map(({ path }) => path)
  const { refusals } = await node.call('delete', { paths })
  const { entries } = await node.call('bin', {})
  const moved = entries.filter(({ id, path }) => !before.has(id) && paths.includes(path))
  const at = refusals.findIndex((each) => each !== null)
  const refusal = refusals[at]
  if (moved.length === 0 && refusal) throw new FileTrouble(refusal, { path: paths[at] })
  return {
    entries: moved.map(({ id, path, bytes }) => ({ id, path, bytes })),
    bytes: moved.length === paths.length ? old.bytes : bytesIn(moved),
  }
}

/**
 * Gives the logs their places back. One whose name something has now stays in the bin and is `left`, with the trouble `ALREADY_EXISTS`;
 * one that is in the bin no longer can never come back, with the trouble `NOT_FOUND`. The others come back all the same.
 */
export async function restoreLogs(node: ClearingNode, { entries }: ClearedLogs): Promise<Rest<ClearedLogs>> {
  const left: ClearedLogs['entries'][number][] = []
  let failure: unknown
  for (const entry of entries) {
    try {
      await node.call('restore', { id: entry.id })
    } catch (error) {
      const code = error instanceof FileTrouble ? error.code : null
      failure ??= code === null ? error : new FileTrouble(code, { path: entry.path })
      if (code !== 'NOT_FOUND') left.push(entry)
    }
  }
  return { left: left.length === 0 ? null : { entries: left, bytes: bytesIn(left) }, failure }
}

/** Deletes these entries of the bin and nothing that was put into it since, and says how much that has freed. */
export async function emptyBin(node: ClearingNode, ids: readonly string[]) {
  const entriesNow = async () => (await node.call('bin', {})).entries
  const chosen = (await entriesNow()).filter(({ id }) => ids.includes(id))
  const wanted = chosen.map(({ id }) => id)
  // Each part is answered when it is done: there is no list of jobs beside a card.
  for (const part of portionsOf(wanted, MAX_CHOSEN)) await node.call('empty-bin', { ids: part })
  const after = await entriesNow()
  const gone = chosen.filter(({ id }) => !after.some((each) => each.id === id))
  return { bytes: bytesIn(gone), isEmpty: after.length === 0 }
}
