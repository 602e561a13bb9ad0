import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { isUtf8 } from 'node:buffer'
import { Zstd } from '@hpcc-js/wasm-zstd'
import { ZipFile } from 'yazl'
import { MAX_ARCHIVE_ENTRIES, type WrittenFormat } from '#contracts/panel/archive-formats.ts'
import { blocksOf } from '../../archive/blocks.ts'
import type { FolderEntry } from '../../archive/folder-entries.ts'
import { paddingOf, TAR_END, tarHeader } from '../../archive/tar-header.ts'
import { FileFailure } from '../file-failure.ts'
import type { JobCount } from '../job-work.ts'
import { firstBytes } from './first-bytes.ts'
import type { LeftOutList } from './left-out-list.ts'
import { through } from './through.ts'

const CHUNK_BYTES = 256 * 1024
/** Small files are heads and paddings of a few bytes, and a compressor takes as long for each of them as for a large piece. */
const PIECE_BYTES = 64 * 1024
/** Sizes from here on need the fields of ZIP64 (APPNOTE 4.3.9.2). */
const ZIP64_BYTES = 0xffff_0000
const SECOND_MS = 1_000
const LINK = 0o120000
const FILE = 0o100000

type Entry = Extract<FolderEntry, { is: 'entry' }>
type ReadableEntry = Entry & { readonly file: FileHandle | undefined }
type OpenEntry = Pick<Entry, 'entry'> & { readonly file: FileHandle }
interface Writing {
  readonly count: JobCount
  readonly leftOut: LeftOutList
}

/** Exactly as many bytes as were counted before: what grew is cut, and what shrank ends in zeros. Closes the file. */
async function* contentOf({ entry, file }: OpenEntry, { count, leftOut }: Writing): AsyncGenerator<Buffer> {
  let at = 0
  for await (const piece of firstBytes(file, entry.size)) {
    at += piece.length
    count.add(piece.length)
    yield piece
  }
  if (at < entry.size) leftOut.add(entry.name.toString(), 'unreadable')
  for (let left = entry.size - at; left > 0; left -= CHUNK_BYTES) yield Buffer.alloc(Math.min(left, CHUNK_BYTES))
}

/** Yields the entries that can be archived, with their files open; the receiver closes them. Lists the rest as left out. */
async function* readable(entries: AsyncIterable<FolderEntry>, leftOut: LeftOutList): AsyncGenerator<ReadableEntry> {
  for await (const found of entries) {
    if (found.is === 'left out') leftOut.add(found.name.toString(), found.why)
    else {
      const file = found.entry.type === 'file' ? await found.open().catch(() => undefined) : undefined
      if (found.entry.type === 'file' && file === undefined) leftOut.add(found.entry.name.toString(), 'unreadable')
      else yield { ...found, file }
    }
  }
}

async function* tarOf(entries: AsyncIterable<FolderEntry>, writing: Writing): AsyncGenerator<Buffer> {
  for await (const { entry, file } of readable(entries, writing.leftOut)) {
    yield tarHeader(entry)
    if (file !== undefined) yield* contentOf({ entry, file }, writing)
    yield Buffer.alloc(paddingOf(entry.size))
  }
  yield TAR_END
}

interface ZstdMemory {
  heapView(part: unknown): Uint8Array
  heapToUint8Array(part: unknown): Uint8Array
}

/**
 * The library (1.12.5) copies its results out of WebAssembly value by value, through a list of numbers, and that takes twenty times as
 * long as the compression. A version that names its parts otherwise keeps its own copy.
 */
const copyAtOnce = (zstd: Zstd): void => {
  const memory: unknown = Reflect.get(zstd, '_mainModule')
  if (typeof memory !== 'object' || memory === null) return
  const { heapView, heapToUint8Array } = memory as Partial<ZstdMemory>
  if (heapView === undefined || heapToUint8Array === undefined) return
  Object.assign(memory, { heapToUint8Array: (part: unknown) => heapView.call(memory, part).slice() })
}

async function* zstandard(source: AsyncGenerator<Buffer>): AsyncGenerator<Uint8Array> {
  const zstd = await Zstd.load()
  copyAtOnce(zstd)
  zstd.reset()
  for await (const piece of source) yield zstd.compressChunk(piece)
  yield zstd.compressEnd()
}

/** Adds one entry, and resolves when its content has been read. */
const addToZip = (zip: ZipFile, { entry, file, stats }: ReadableEntry, writing: Writing): Promise<void> => {
  const name = entry.name.toString()
  const options = { mtime: new Date(entry.mtimeSeconds * SECOND_MS), mode: entry.mode | FILE }
  if (entry.type === 'directory') zip.addEmptyDirectory(name, { mtime: options.mtime, mode: stats.mode })
  else if (file === undefined) zip.addBuffer(entry.link ?? Buffer.alloc(0), name, { ...options, mode: LINK | 0o777 })
  else {
    const forceZip64Format = entry.size > ZIP64_BYTES
    // The library keeps the function of every entry to the end: what it refers to is let go once it was read.
    let content: Readable | undefined = Readable.from(contentOf({ entry, file }, writing))
    const read = finished(content)
    zip.addReadStreamLazy(name, { ...options, size: entry.size, forceZip64Format }, (give) => {
      if (content !== undefined) give(null, content)
      content = undefined
    })
    return read
  }
  return Promise.resolve()
}

async function* zipOf(entries: AsyncIterable<FolderEntry>, writing: Writing): AsyncGenerator<Buffer> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  let added = 0
  const adding = async (): Promise<void> => {
    for await (const found of readable(entries, writing.leftOut)) {
      added += 1
      if (added > MAX_ARCHIVE_ENTRIES) throw new FileFailure('ARCHIVE_TOO_MANY')
      // A backslash would be a separator there.
      if (isUtf8(found.entry.name) && !found.entry.name.includes('\\')) await addToZip(zip, found, writing)
      else {
        await found.file?.close()
        writing.leftOut.add(found.entry.name.toString(), 'name')
      }
    }
    zip.end()
  }
  adding().catch((error: unknown) => output.destroy(error as Error))
  for await (const piece of output as AsyncIterable<Buffer>) yield piece
}

/**
 * The bytes of an archive of these entries. A zip keeps each entry in memory to its end, so that it has at most as many as one that is
 * extracted: `ARCHIVE_TOO_MANY`. A tar has any number.
 */
export const writeArchive = (
  format: WrittenFormat,
  entries: AsyncIterable<FolderEntry>,
  writing: Writing,
): AsyncIterable<Uint8Array> => {
  if (format === 'zip') return zipOf(entries, writing)
  const tar = blocksOf(tarOf(entries, writing), PIECE_BYTES)
  if (format === 'tar') return tar
  return format === 'tar.gz' ? through(tar, createGzip()) : zstandard(tar)
}
