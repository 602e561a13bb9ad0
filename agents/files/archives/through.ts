import { Readable, type Duplex } from 'node:stream'

/** Yields the bytes of a source as a stream of zlib changes them. Throws the errors of both. */
export async function* through(source: AsyncIterable<Buffer>, change: Duplex): AsyncGenerator<Buffer> {
  const input = Readable.from(source)
  input.on('error', (error) => change.destroy(error))
  input.pipe(change)
  try {
    for await (const piece of change as AsyncIterable<Buffer>) yield piece
  } finally {
    input.destroy()
  }
}
