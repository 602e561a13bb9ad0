import type { FileHandle } from 'node:fs/promises'
import { MAX_MATCHES, type SearchRequest, type SearchResult } from '#contracts/panel/node-files.ts'
import type { ServerRoot } from './server-root.ts'
import { kindOf, walk, type Walked } from './walk.ts'

/** Larger files are logs and worlds: they are downloaded to be searched. */
const MAX_SEARCHED_BYTES = 16 * 1024 * 1024
const SEARCH_MS = 20_000
const SHOWN_CHARACTERS = 200
const CHUNK_BYTES = 64 * 1024
const READ_AT_ONCE = 8
const SMALL_BYTES = 256 * 1024

const pathOf = (under: string, names: readonly Buffer[]): string =>
  [...(under === '' ? [] : [under]), ...names.map((name) => name.toString('utf8'))].join('/')

/** The first line with the text, undefined without one and in files that are not text. */
const lineWith = async (handle: FileHandle, wanted: string): Promise<{ line: number; text: string } | undefined> => {
  const first = Buffer.alloc(CHUNK_BYTES)
  const { bytesRead } = await handle.read(first, 0, CHUNK_BYTES, 0)
  if (first.subarray(0, bytesRead).includes(0)) return undefined
  const { size } = await handle.stat()
  const whole = bytesRead >= size ? first.subarray(0, bytesRead) : await handle.readFile()
  const text = whole.toString('utf8')
  const at = text.toLowerCase().indexOf(wanted)
  if (at < 0) return undefined
  const start = text.lastIndexOf('\n', at - 1) + 1
  const end = text.indexOf('\n', at)
  const line = text.slice(0, at).split('\n').length
  return {
    line,
    text: text
      .slice(start, end < 0 ? undefined : end)
      .trim()
      .slice(0, SHOWN_CHARACTERS),
  }
}

/** The file to look into, open; the caller closes it. */
const openedText = async ({ folder, name, stats }: Walked) =>
  stats.isFile() && stats.size <= MAX_SEARCHED_BYTES ? folder.file(name).catch(() => undefined) : undefined

const contentMatch = async (handle: FileHandle, wanted: string) => {
  try {
    return await lineWith(handle, wanted).catch(() => undefined)
  } finally {
    await handle.close()
  }
}

type Match = SearchResult['matches'][number]

/**
 * Files that are being read, whose matches are kept in the order of the folder. Several small ones are read at once; a large one alone,
 * because each is in memory as a whole.
 */
class Readings {
  readonly #matches: Match[]
  readonly #open: Promise<Match | undefined>[] = []

  constructor(matches: Match[]) {
    this.#matches = matches
  }

  /** Opens the file before it resolves, so that its folder may be left. */
  async begin(walked: Walked, place: Match, wanted: string): Promise<void> {
    const file = await openedText(walked)
    if (file === undefined) return
    const others = file.stats.size > SMALL_BYTES ? 0 : READ_AT_ONCE - 1
    await this.settle(others)
    const match = contentMatch(file.handle, wanted)
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

/** Searches below a folder by name and by content; both must match. Ends at the first 200 matches or after 20 s. */
export const search = (root: ServerRoot, request: SearchRequest, now: () => number): Promise<SearchResult> => {
  const [name, content] = [request.name.toLowerCase(), request.content.toLowerCase()]
  const endsAtMs = now() + SEARCH_MS
  return root.inFolder(request.path, async (folder) => {
    const matches: SearchResult['matches'] = []
    const reading = new Readings(matches)
    try {
      for await (const walked of walk(folder)) {
        if (matches.length >= MAX_MATCHES || now() > endsAtMs) {
          return { matches: matches.slice(0, MAX_MATCHES), isPartial: true }
        }
        if (!walked.name.toString('utf8').toLowerCase().includes(name)) continue
        const place = { path: pathOf(request.path, walked.names), kind: kindOf(walked.stats) }
        if (content === '') matches.push(place)
        else await reading.begin(walked, place, content)
      }
      await reading.settle(0)
      return { matches: matches.slice(0, MAX_MATCHES), isPartial: matches.length > MAX_MATCHES }
    } finally {
      await reading.settle(0)
    }
  })
}

/** The bytes on the disk and the number of entries below a folder; a file with several names counts once. */
export const folderSize = (root: ServerRoot, path: string): Promise<{ bytes: number; entries: number }> =>
  root.inFolder(path, async (folder) => {
    const seen = new Set<number>()
    const size = { bytes: 0, entries: 0 }
    for await (const { stats } of walk(folder)) {
      size.entries += 1
      if (stats.nlink > 1 && !stats.isDirectory()) {
        if (seen.has(stats.ino)) continue
        seen.add(stats.ino)
      }
      size.bytes += stats.blocks * 512
    }
    return size
  })
