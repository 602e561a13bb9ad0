import type { Dirent } from 'node:fs'
import type { FileEntry, FolderPage, ListRequest } from '#contracts/panel/node-files.ts'
import type { HeldFolder } from '../platform/held-folder.ts'
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
  readonly isFolder: boolean
}

const namedOf = (entry: Dirent<Buffer>): Named => {
  const name = entry.name.toString('utf8')
  return { bytes: entry.name, name, key: sortKey(name), isFolder: entry.isDirectory() }
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

/** Lists folders by pages. Folders stand before files, however they are ordered. */
export class FolderLists {
  readonly #root: ServerRoot
  readonly #now: () => number
  #kept: Kept | undefined

  constructor(root: ServerRoot, now: () => number) {
    this.#root = root
    this.#now = now
  }

  list(request: ListRequest): Promise<FolderPage> {
    return this.#root.inFolder(request.path, (folder) =>
      request.order === 'name' ? this.#byName(folder, request) : this.#byLook(folder, request, request.order),
    )
  }

  async #byName(folder: HeldFolder, { from, limit, descending }: ListRequest): Promise<FolderPage> {
    const named = (await folder.entries()).map(namedOf)
    const sign = descending ? -1 : 1
    named.sort((one, other) => (one.isFolder === other.isFolder ? sign * byKey(one, other) : one.isFolder ? -1 : 1))
    const page = await lookAt(folder, named.slice(from, from + limit))
    return { entries: page.map(({ entry }) => entry), total: named.length }
  }

  async #byLook(folder: HeldFolder, request: ListRequest, order: 'size' | 'time'): Promise<FolderPage> {
    const { path, from, limit, descending } = request
    const of = JSON.stringify([path, order, descending, (await folder.self()).ino])
    const isKept = from > 0 && this.#kept?.of === of && this.#now() - this.#kept.atMs < KEPT_MS
    const rows: Listed[] = isKept
      ? [...(this.#kept?.rows ?? [])]
      : await lookAt(folder, (await folder.entries()).map(namedOf))
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
