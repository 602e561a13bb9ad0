import type { FileHandle } from 'node:fs/promises'
import { MAX_MATCHES, type SearchRequest, type SearchResult } from '#contracts/panel/node-files.ts'
import type { ServerRoot } from './server-root.ts'
import { kindOf, walk, type Walked } from './walk.ts'

/** Larger files are logs and worlds: they are downloaded to be searched. */
const MAX_SEARCHED_BYTES = 16 * 1024 * 1024
const SEARCH_MS = 20_000
const SHOWN_CHARACTERS = 200
const CHUNK_BYTES = 64 * 1024

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

const contentMatch = async ({ folder, name, stats }: Walked, wanted: string) => {
  if (!stats.isFile() || stats.size > MAX_SEARCHED_BYTES) return undefined
  const file = await folder.file(name).catch(() => undefined)
  if (file === undefined) return undefined
  try {
    return await lineWith(file.handle, wanted).catch(() => undefined)
  } finally {
    await file.handle.close()
  }
}

/** Searches below a folder by name and by content; both must match. Ends at the first 200 matches or after 20 s. */
export const search = (root: ServerRoot, request: SearchRequest, now: () => number): Promise<SearchResult> => {
  const [name, content] = [request.name.toLowerCase(), request.content.toLowerCase()]
  const endsAtMs = now() + SEARCH_MS
  return root.inFolder(request.path, async (folder) => {
    const matches: SearchResult['matches'] = []
    for await (const walked of walk(folder)) {
      if (matches.length >= MAX_MATCHES || now() > endsAtMs) return { matches, isPartial: true }
      if (!walked.name.toString('utf8').toLowerCase().includes(name)) continue
      const place = { path: pathOf(request.path, walked.names), kind: kindOf(walked.stats) }
      const found = content === '' ? {} : await contentMatch(walked, content)
      if (found !== undefined) matches.push({ ...place, ...found })
    }
    return { matches, isPartial: false }
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
