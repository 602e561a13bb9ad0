import type { Stats } from 'node:fs'
import type { EntryKind } from '#contracts/panel/node-files.ts'
import { MAX_PATH_DEPTH } from '#contracts/panel/file-path.ts'
import type { HeldFolder } from '../platform/held-folder.ts'

/** The kind of an entry, of a link its own and not its target's. */
export const kindOf = (entry: Pick<Stats, 'isDirectory' | 'isFile' | 'isSymbolicLink'>): EntryKind => {
  if (entry.isDirectory()) return 'folder'
  if (entry.isFile()) return 'file'
  return entry.isSymbolicLink() ? 'link' : 'other'
}

/** Something below a folder. `folder` is open while the consumer looks at the entry, and no longer. */
export interface Walked {
  readonly folder: HeldFolder
  readonly name: Buffer
  /** The names from the first folder down to the entry. */
  readonly names: readonly Buffer[]
  readonly stats: Stats
}

/** Names whose status is asked for at once: asking one by one waits longer than the disk works. */
const ASKED_AT_ONCE = 32

/** The names that are still there, each with its status. */
const lookAt = async (folder: HeldFolder, names: readonly Buffer[]) => {
  const asked = names.map(async (name) => ({ name, stats: await folder.look(name).catch(() => undefined) }))
  return (await Promise.all(asked)).flatMap(({ name, stats }) => (stats === undefined ? [] : [{ name, stats }]))
}

async function* withStats(folder: HeldFolder): AsyncGenerator<{ readonly name: Buffer; readonly stats: Stats }> {
  let names: Buffer[] = []
  for await (const name of folder.names()) {
    names.push(name)
    if (names.length < ASKED_AT_ONCE) continue
    yield* await lookAt(folder, names)
    names = []
  }
  yield* await lookAt(folder, names)
}

/**
 * Everything below a folder, each folder before its content. Links are entries and never followed; what vanishes or cannot
 * be opened meanwhile is left out.
 */
export async function* walk(folder: HeldFolder, names: readonly Buffer[] = []): AsyncGenerator<Walked> {
  for await (const { name, stats } of withStats(folder)) {
    const here = [...names, name]
    yield { folder, name, names: here, stats }
    if (!stats.isDirectory() || here.length >= MAX_PATH_DEPTH) continue
    const inner = await folder.folder(name).catch(() => undefined)
    if (inner === undefined) continue
    try {
      yield* walk(inner, here)
    } finally {
      await inner.close()
    }
  }
}
