import type { FileHandle } from 'node:fs/promises'
import { MAX_MATCHES, type SearchRequest, type SearchResult } from '#contracts/panel/node-files.ts'
import { FileFailure } from './file-failure.ts'
import { LineSearch, type FoundLine } from './line-search.ts'
import type { ServerRoot } from './server-root.ts'
import { kindOf, walk, type Walked } from './walk.ts'

const SEARCH_MS = 20_000
const CHUNK_BYTES = 64 * 1024
const READ_AT_ONCE = 8
const SMALL_BYTES = 256 * 1024

const pathOf = (under: string, names: readonly Buffer[]): string =>
  [...(under === '' ? [] : [under]), ...names.map((name) => name.toString('utf8'))].join('/')

/** Nobody waits for the rest of a search, or it has taken long enough. */
interface Ends {
  isOver(): boolean
}

/** The first line with the text, undefined without one, in files that are not text, and once the search is over. */
const lineWith = async (handle: FileHandle, wanted: string, ends: Ends): Promise<FoundLine | undefined> => {
  const search = new LineSearch(wanted)
  const buffer = Buffer.alloc(CHUNK_BYTES)
  for (let at = 0; !ends.isOver();) {
    const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, at)
    const piece = buffer.subarray(0, bytesRead)
    if (bytesRead === 0 || (at === 0 && piece.includes(0))) return undefined
    const found = search.add(piece)
    if (found !== undefined) return found
    at += bytesRead
  }
  return undefined
}

/** The file to look into, open; the caller closes it. */
const openedText = async ({ folder, name, stats }: Walked) =>
  stats.isFile() ? folder.file(name).catch(() => undefined) : undefined

const contentMatch = async (handle: FileHandle, wanted: string, ends: Ends) => {
  try {
    return await lineWith(handle, wanted, ends).catch(() => undefined)
  } finally {
    await handle.close()
  }
}

type Match = SearchResult['matches'][number]

/**
 * Files that are being read, whose matches are kept in the order of the folder. Several small ones are read at once, and a large one alone.
 */
class Readings {
  readonly #matches: Match[]
  readonly #open: Promise<Match | undefined>[] = []

  readonly #ends: Ends

  constructor(matches: Match[], ends: Ends) {
    this.#matches = matches
    this.#ends = ends
  }

  /** Opens the file before it resolves, so that its folder may be left. */
  async begin(walked: Walked, place: Match, wanted: string): Promise<void> {
    const file = await openedText(walked)
    if (file === undefined) return
    const others = file.stats.size > SMALL_BYTES ? 0 : READ_AT_ONCE - 1
    await this.settle(others)
    const match = contentMatch(file.handle, wanted, this.#ends)
    this.#open.push(match.then((found) => (found === undefined ? undefined : { ...place, ...found })))
    await this.settle(others)
  }

  /** Waits for the oldest until no more than these are left. */
  async settle(left: number): Promise<void> {
    while (this.#open.length > left) {
      const found = await this.#open.shift()
      if (found !== undefined) this.#matches.push(found)
    }
  }
}

interface SearchDeps {
  readonly root: ServerRoot
  readonly now: () => number
  /** Aborted once nobody waits for the answer. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Searches below a folder by name and by content; both must match. Ends at the first 200 matches, after 20 s, or when nobody waits any more;
 * then it says that the result is partial.
 */
export const search = ({ root, now, signal }: SearchDeps, request: SearchRequest): Promise<SearchResult> => {
  const [name, content] = [request.name.toLowerCase(), request.content.toLowerCase()]
  const endsAtMs = now() + SEARCH_MS
  const ends: Ends = { isOver: () => signal?.aborted === true || now() > endsAtMs }
  return root.inFolder(request.path, async (folder) => {
    const matches: SearchResult['matches'] = []
    const reading = new Readings(matches, ends)
    try {
      for await (const walked of walk(folder)) {
        if (matches.length >= MAX_MATCHES || ends.isOver()) {
          return { matches: matches.slice(0, MAX_MATCHES), isPartial: true }
        }
        if (!walked.name.toString('utf8').toLowerCase().includes(name)) continue
        const place = { path: pathOf(request.path, walked.names), kind: kindOf(walked.stats) }
        if (content === '') matches.push(place)
        else await reading.begin(walked, place, content)
      }
      await reading.settle(0)
      return { matches: matches.slice(0, MAX_MATCHES), isPartial: matches.length > MAX_MATCHES || ends.isOver() }
    } finally {
      await reading.settle(0)
    }
  })
}

/** The bytes on the disk and the number of entries below a folder; a file with several names counts once. */
export const folderSize = (
  root: ServerRoot,
  path: string,
  signal?: AbortSignal,
): Promise<{ bytes: number; entries: number }> =>
  root.inFolder(path, async (folder) => {
    const seen = new Set<number>()
    const size = { bytes: 0, entries: 0 }
    for await (const { stats } of walk(folder)) {
      // Nobody waits for it any more.
      if (signal?.aborted === true) throw new FileFailure('BUSY')
      size.entries += 1
      if (stats.nlink > 1 && !stats.isDirectory()) {
        if (seen.has(stats.ino)) continue
        seen.add(stats.ino)
      }
      size.bytes += stats.blocks * 512
    }
    return size
  })
