import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { fromFdPromise, getFileNameLowLevel, type Entry, type ZipFile } from 'yauzl'
import { FileFailure } from '../file-failure.ts'
import type { ArchiveEntry, Declared } from './archive-entry.ts'

const OPTIONS = { lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: true } as const
/** The system that made the entry and keeps its mode in the upper half of the attributes (APPNOTE 4.4.2, 4.4.15). */
const UNIX = 3
const FORMAT = 0o170000
const FORMATS: Readonly<Record<number, ArchiveEntry['kind']>> = {
  0o040000: 'folder',
  0o100000: 'file',
  0o120000: 'link',
  0: 'file',
}

const nameOf = ({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string =>
  getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true)

const modeOf = ({ versionMadeBy, externalFileAttributes }: Entry): number =>
  versionMadeBy >> 8 === UNIX ? externalFileAttributes >>> 16 : 0

async function* contentOf(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  let sum = 0
  const stream = await zip.openReadStreamPromise(entry)
  for await (const piece of stream as AsyncIterable<Buffer>) {
    sum = crc32(piece, sum)
    yield piece
  }
  if (sum !== entry.crc32) throw new FileFailure('ARCHIVE_DAMAGED')
}

/** Counts entries and bytes in a zip's directory. Throws `ARCHIVE_DAMAGED` where entries share their bytes, `ARCHIVE_ENCRYPTED`. */
export const declaredByZip = async ({ fd }: FileHandle, archiveBytes: number): Promise<Declared> => {
  const zip = await fromFdPromise(fd, OPTIONS)
  let [bytes, packed] = [0, 0]
  for await (const entry of zip.eachEntry()) {
    if (entry.isEncrypted()) throw new FileFailure('ARCHIVE_ENCRYPTED')
    bytes += entry.uncompressedSize
    packed += entry.compressedSize
    if (packed > archiveBytes) throw new FileFailure('ARCHIVE_DAMAGED')
  }
  return { entries: zip.entryCount, bytes }
}

/** Everything in a zip, each file checked against its size and its sum. */
export async function* zipEntries({ fd }: FileHandle): AsyncGenerator<ArchiveEntry> {
  const zip = await fromFdPromise(fd, OPTIONS)
  for await (const entry of zip.eachEntry()) {
    const name = nameOf(entry)
    const mode = modeOf(entry)
    const kind = /[/\\]$/.test(name) ? 'folder' : (FORMATS[mode & FORMAT] ?? 'special')
    yield {
      name,
      kind,
      ...(mode === 0 ? {} : { mode }),
      mtimeMs: entry.getLastModDate().getTime(),
      content: () => contentOf(zip, entry),
    }
  }
}
