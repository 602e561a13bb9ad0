/** Pieces of any size as blocks of this size; the last one may be shorter. Nothing yields nothing. */
export async function* blocksOf(source: AsyncIterable<Buffer>, blockBytes: number): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let bytes = 0
  for await (const piece of source) {
    held.push(piece)
    bytes += piece.length
    if (bytes < blockBytes) continue
    const all = Buffer.concat(held)
    let at = 0
    for (; bytes - at >= blockBytes; at += blockBytes) yield all.subarray(at, at + blockBytes)
    held = [all.subarray(at)]
    bytes -= at
  }
  if (bytes > 0) yield Buffer.concat(held)
}
