import type { FileHandle } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import type { ReadFormat } from '#contracts/panel/archive-formats.ts'
import type { JobCount } from '../job-work.ts'
import type { ArchiveEntry, Declared } from './archive-entry.ts'
import { readList, sevenZipEntries } from './seven-zip-entries.ts'
import { tarEntries } from './tar-entries.ts'
import { through } from './through.ts'
import type { UnpackBounds } from './unpack-bounds.ts'
import type { Unpacker, UnpackerCall } from './unpacker.ts'
import { declaredByZip, zipEntries } from './zip-entries.ts'

const CHUNK_BYTES = 256 * 1024

export interface OpenArchive {
  readonly handle: FileHandle
  readonly format: ReadFormat
  readonly bytes: number
  /** The name of the content of a format that stores none. */
  readonly name: string
}

interface Reading {
  readonly bounds: UnpackBounds
  readonly count: JobCount
  readonly unpacker: Unpacker
  readonly signal: AbortSignal
}

async function* bytesOf({ handle, bytes }: OpenArchive, count: JobCount): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes;) {
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, bytes - at))
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at)
    if (bytesRead === 0) return
    at += bytesRead
    count.add(bytesRead)
    yield buffer.subarray(0, bytesRead)
  }
}

async function* bounded(source: AsyncIterable<Buffer>, bounds: UnpackBounds): AsyncGenerator<Buffer> {
  for await (const piece of source) {
    bounds.unpacked(piece.length)
    yield piece
  }
}

/** The same entries, their content counted as it comes. */
async function* counted(
  entries: AsyncIterable<ArchiveEntry>,
  count: (bytes: number) => void,
): AsyncGenerator<ArchiveEntry> {
  for await (const entry of entries) {
    async function* content(): AsyncGenerator<Uint8Array> {
      for await (const piece of entry.content()) {
        count(piece.length)
        yield piece
      }
    }
    yield { ...entry, content }
  }
}

const TYPES = { 'tar.zst': 'zstd', 'tar.xz': 'xz', 'tar.bz2': 'bzip2' } as const satisfies Partial<
  Record<ReadFormat, UnpackerCall['type']>
>

/** The plain tar of a compressed one, or the plain content of a `gz`. */
const plainOf = (archive: OpenArchive, { bounds, count, unpacker, signal }: Reading): AsyncIterable<Buffer> => {
  const { format, handle } = archive
  if (format === 'tar') return bytesOf(archive, count)
  if (format === 'tar.gz' || format === 'gz') return bounded(through(bytesOf(archive, count), createGunzip()), bounds)
  const type = TYPES[format as keyof typeof TYPES]
  return bounded(unpacker.run({ does: 'unpack', type, signal }, handle), bounds)
}

async function* one(name: string, content: AsyncIterable<Buffer>): AsyncGenerator<ArchiveEntry> {
  yield await Promise.resolve({ name, kind: 'file' as const, content: () => content })
}

/**
 * Everything in an archive. Where a format says beforehand how much it holds, the bounds decide about that first. The entries
 * throw what `UnpackBounds` throws, and errors of their format for damaged archives.
 */
export const readArchive = async (archive: OpenArchive, reading: Reading): Promise<AsyncIterable<ArchiveEntry>> => {
  const { bounds, count, unpacker, signal } = reading
  const { format, handle } = archive
  const take = (bytes: number): void => {
    bounds.unpacked(bytes)
    count.add(bytes)
  }
  const declare = (declared: Declared): void => {
    bounds.declared(declared)
    count.expect(declared.bytes)
  }
  if (format === 'zip') {
    declare(await declaredByZip(handle, archive.bytes))
    return counted(zipEntries(handle), take)
  }
  if (format === '7z') {
    const listed = await readList(unpacker.run({ does: 'list', type: '7z', signal }, handle))
    declare({ entries: listed.length, bytes: listed.reduce((sum, { size }) => sum + size, 0) })
    return counted(sevenZipEntries(listed, { unpacker, archive: handle, signal }), take)
  }
  const plain = plainOf(archive, reading)
  return format === 'gz' ? one(archive.name, plain) : tarEntries(plain)
}
