const PIECE_BYTES = 64 * 1024

/**
 * The same bytes in pieces of at least 64 KiB, except for the last. An archive of small files is made of heads and paddings of a few
 * bytes, and a compressor or a disk takes as long for each of them as for a large piece.
 */
export async function* gathered(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let bytes = 0
  for await (const piece of source) {
    waiting.push(piece)
    bytes += piece.length
    if (bytes < PIECE_BYTES) continue
    yield Buffer.concat(waiting)
    ;[waiting, bytes] = [[], 0]
  }
  if (bytes > 0) yield Buffer.concat(waiting)
}
