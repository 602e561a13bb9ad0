import type { Stats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import type { HeldFolder } from '../platform/held-folder.ts'
import type { TarEntry } from './tar-header.ts'

/** Each level keeps its folder open. No game needs more. */
const MAX_DEPTH = 100
/** The largest time that every archive reader supports. */
const MAX_MTIME_S = 2 ** 31 - 1
const PERMISSIONS = 0o777
const SLASH = Buffer.from('/')

/** An entry of the archive and how to read it. `left out` has no entry: it cannot be read, or is neither file, folder nor link. */
export type FolderEntry =
  | { readonly is: 'left out'; readonly name: Buffer; readonly why: 'unreadable' | 'special' }
  | {
      readonly is: 'entry'
      readonly entry: TarEntry
      readonly stats: Stats
      /** Undefined when it is a file no more. */
      readonly open: () => Promise<FileHandle | undefined>
    }

const fieldsOf = (stats: Stats): Pick<TarEntry, 'mode' | 'mtimeSeconds'> => ({
  mode: stats.mode & PERMISSIONS,
  mtimeSeconds: Math.min(Math.max(0, Math.floor(stats.mtimeMs / 1_000)), MAX_MTIME_S),
})

const nothing = (): Promise<undefined> => Promise.resolve(undefined)

async function* subfolder(
  parent: HeldFolder,
  { bytes, name, stats, depth }: { bytes: Buffer; name: Buffer; stats: Stats; depth: number },
): AsyncGenerator<FolderEntry> {
  const folder = depth > MAX_DEPTH ? undefined : await parent.folder(bytes).catch(() => undefined)
  if (folder === undefined) return yield { is: 'left out', name, why: 'unreadable' }
  try {
    const entry: TarEntry = { name: Buffer.concat([name, SLASH]), type: 'directory', size: 0, ...fieldsOf(stats) }
    yield { is: 'entry', entry, stats, open: nothing }
    yield* entriesOf(folder, { name, depth })
  } finally {
    await folder.close()
  }
}

/**
 * Everything in a folder, or these of its names, in the order of the disk, which does not change while the folder does not.
 * Links are entries and never followed. Sockets, pipes and devices belong to a running program, are useless outside of it, and
 * left out as special. Names begin with that of `at`, unless it is empty.
 */
export async function* entriesOf(
  folder: HeldFolder,
  at: { readonly name: Buffer; readonly depth: number },
  names: AsyncIterable<Buffer> | Iterable<Buffer> = folder.names(),
): AsyncGenerator<FolderEntry> {
  for await (const bytes of names) {
    const name = at.name.length === 0 ? bytes : Buffer.concat([at.name, SLASH, bytes])
    // A file removed meanwhile no longer exists.
    const stats = await folder.look(bytes).catch(() => undefined)
    if (stats === undefined) continue
    if (stats.isDirectory()) yield* subfolder(folder, { bytes, name, stats, depth: at.depth + 1 })
    else if (stats.isFile()) {
      const entry: TarEntry = { name, type: 'file', size: stats.size, ...fieldsOf(stats) }
      const open = async (): Promise<FileHandle | undefined> => (await folder.file(bytes))?.handle
      yield { is: 'entry', entry, stats, open }
    } else if (stats.isSymbolicLink()) {
      const link = await folder.readLink(bytes).catch(() => undefined)
      if (link === undefined) yield { is: 'left out', name, why: 'unreadable' }
      else
        yield { is: 'entry', entry: { name, type: 'symlink', size: 0, link, ...fieldsOf(stats) }, stats, open: nothing }
    } else yield { is: 'left out', name, why: 'special' }
  }
}
