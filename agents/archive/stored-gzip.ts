import { crc32 } from 'node:zlib'
import { blocksOf } from './blocks.ts'

/** The most that one stored block of deflate holds (RFC 1951). */
export const STORED_BLOCK_BYTES = 65_535
const BLOCK_HEAD_BYTES = 5
/** Deflate, no name, no time, no extra flags, Unix (RFC 1952). */
const HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])
const TAIL_BYTES = 8

/** A place in the plain stream, at the beginning of a block, and the checksum of everything before it. */
export interface Checkpoint {
  readonly offset: number
  readonly crc: number
}
export const START: Checkpoint = { offset: 0, crc: 0 }

/** The length of the compressed form of `plainBytes`. It is known in advance, because nothing is compressed. */
export const storedLength = (plainBytes: number): number =>
  HEAD.length + plainBytes + BLOCK_HEAD_BYTES * Math.max(1, Math.ceil(plainBytes / STORED_BLOCK_BYTES)) + TAIL_BYTES

/** Where the stream that begins at a checkpoint stands in the whole. */
export const storedOffset = ({ offset }: Checkpoint): number =>
  offset === 0 ? 0 : HEAD.length + offset + BLOCK_HEAD_BYTES * (offset / STORED_BLOCK_BYTES)

const blockOf = (data: Buffer, isLast: boolean): Buffer => {
  const head = Buffer.alloc(BLOCK_HEAD_BYTES)
  head.writeUInt8(isLast ? 1 : 0, 0)
  head.writeUInt16LE(data.length, 1)
  head.writeUInt16LE(~data.length & 0xffff, 3)
  return Buffer.concat([head, data])
}

/**
 * A gzip stream of stored blocks of a source that begins at a checkpoint and ends at `plainBytes`. Uncompressed, so that
 * its length is known before it is read, that it can go on anywhere, and that it takes no time from the node's games:
 * worlds and packages are compressed already. `passed` is called with each place where it could go on later.
 */
export async function* storedGzip(
  source: AsyncIterable<Buffer>,
  { plainBytes, from, passed }: { plainBytes: number; from: Checkpoint; passed: (at: Checkpoint) => void },
): AsyncGenerator<Buffer> {
  let { offset, crc } = from
  if (offset === 0) yield HEAD
  for await (const data of blocksOf(source, STORED_BLOCK_BYTES)) {
    crc = crc32(data, crc)
    offset += data.length
    yield blockOf(data, offset === plainBytes)
    if (offset < plainBytes) passed({ offset, crc })
  }
  if (offset !== plainBytes) throw new Error(`The source ended at ${offset} of ${plainBytes} bytes.`)
  const tail = Buffer.alloc(TAIL_BYTES)
  tail.writeUInt32LE(crc, 0)
  tail.writeUInt32LE(plainBytes % 2 ** 32, 4)
  yield tail
}
