import type { FileEntry, FolderPage, ListRequest } from '#contracts/panel/node-files.ts'
import { BYTES, type HeldFolder } from '../platform/held-folder.ts'
import type { ServerRoot } from './server-root.ts'
import { kindOf } from './walk.ts'

/** Entries looked at concurrently; more would only wait for libuv's four threads. */
const BATCH = 64
const PERMISSIONS = 0o777
/** A list by size or time looks at every entry, and serves the pages of a scroll from that look. */
const KEPT_MS = 5_000
const DIGITS = 16

/** Letters before case and accents, and numbers by their value: `log-2` stands before `log-10`. */
const sortKey = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/\d+/g, (digits) => digits.padStart(DIGITS, '0'))

const byKey = <Row extends { readonly key: string; readonly name: string }>(one: Row, other: Row): number => {
  if (one.key !== other.key) return one.key < other.key ? -1 : 1
  return one.name < other.name ? -1 : 1
}

interface Named {
  readonly bytes: Buffer
  readonly name: string
  readonly key: string
}

const namedOf = (raw: string): Named => {
  const bytes = Buffer.from(raw, BYTES)
  const name = bytes.toString('utf8')
  return { bytes, name, key: sortKey(name) }
}

/** In the order of their keys. */
const naturally = (names: readonly string[]): string[] => {
  const keyed = names.map((raw) => ({ raw, name: raw, key: namedOf(raw).key }))
  return keyed.sort(byKey).map(({ raw }) => raw)
}

type Listed = { readonly entry: FileEntry; readonly key: string; readonly name: string }

const lookAt = async (folder: HeldFolder, named: readonly Named[]): Promise<Listed[]> => {
  const listed: Listed[] = []
  for (let at = 0; at < named.length; at += BATCH) {
    const batch = named.slice(at, at + BATCH)
    const all = await Promise.all(batch.map(({ bytes }) => folder.look(bytes).catch(() => undefined)))
    for (const [index, stats] of all.entries()) {
      const one = batch[index]
      // Removed since the folder was read.
      if (stats === undefined || one === undefined) continue
      const kind = kindOf(stats)
      const { mtimeMs, mode } = stats
      const size = kind === 'file' ? stats.size : 0
      listed.push({
        entry: { name: one.name, kind, size, mtimeMs, mode: mode & PERMISSIONS },
        key: one.key,
        name: one.name,
      })
    }
  }
  return listed
}

const COMPARE: Readonly<Record<'size' | 'time', (entry: FileEntry) => number>> = {
  size: ({ size }) => size,
  time: ({ mtimeMs }) => mtimeMs,
}

interface Kept {
  readonly of: string
  readonly atMs: number
  readonly rows: readonly Listed[]
}

/** Above this number the names are sorted as they are, and every order is the one by name: nothing else fits the memory. */
const HUGE = 100_000

/** Lists folders by pages. Folders stand before files, however they are ordered. */
export class FolderLists {
  readonly #root: ServerRoot
  readonly #now: () => number
  readonly #huge: number
  #kept: Kept | undefined

  constructor(root: ServerRoot, now: () => number, huge = HUGE) {
    this.#root = root
    this.#now = now
    this.#huge = huge
  }

  list(request: ListRequest): Promise<FolderPage> {
    return this.#root.inFolder(request.path, async (folder) => {
      const { order } = request
      const { folders, others } = await folder.split()
      const total = folders.length + others.length
      if (order === 'name' || total > this.#huge) return this.#byName(folder, [folders, others], request)
      return this.#byLook(folder, [...folders, ...others], { ...request, order })
    })
  }

  async #byName(
    folder: HeldFolder,
    groups: readonly (readonly string[])[],
    { from, limit, descending }: ListRequest,
  ): Promise<FolderPage> {
    const total = groups.reduce((sum, group) => sum + group.length, 0)
    const sorted = groups.flatMap((group) => {
      const ordered = total > this.#huge ? group.toSorted() : naturally(group)
      return descending ? ordered.reverse() : ordered
    })
    const page = await lookAt(folder, sorted.slice(from, from + limit).map(namedOf))
    return { entries: page.map(({ entry }) => entry), total }
  }

  async #byLook(
    folder: HeldFolder,
    names: readonly string[],
    { path, from, limit, descending, order }: ListRequest & { order: 'size' | 'time' },
  ): Promise<FolderPage> {
    const of = JSON.stringify([path, order, descending, (await folder.self()).ino])
    const isKept = from > 0 && this.#kept?.of === of && this.#now() - this.#kept.atMs < KEPT_MS
    const rows: Listed[] = isKept ? [...(this.#kept?.rows ?? [])] : await lookAt(folder, names.map(namedOf))
    if (!isKept) {
      const sign = descending ? -1 : 1
      const value = COMPARE[order]
      rows.sort((one, other) => {
        const folders = Number(other.entry.kind === 'folder') - Number(one.entry.kind === 'folder')
        return folders || sign * (value(one.entry) - value(other.entry)) || byKey(one, other)
      })
      this.#kept = { of, atMs: this.#now(), rows }
    }
    return { entries: rows.slice(from, from + limit).map(({ entry }) => entry), total: rows.length }
  }
}
