import type { ClientHttp2Stream } from 'node:http2'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { answeredJson } from './worker-answers.ts'

/** Counts the bytes of a source on their way to a worker. */
const counted = (passed: (bytes: number) => void) =>
  async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      passed(piece.length)
      yield piece
    }
  }

/**
 * Passes a source on to a worker as the body of a request, and resolves with the worker's JSON. Throws the worker's refusal, and `BUSY` if
 * one of the two was cut: each takes the other with it.
 */
export const passOn = async (
  source: Readable,
  stream: ClientHttp2Stream,
  passed: (bytes: number) => void,
): Promise<unknown> => {
  const answer = answeredJson(stream)
  const sent = pipeline(source, counted(passed), stream).catch(() => stream.destroy())
  try {
    return await answer.catch(async (error: unknown) => {
      // The stream that failed first has told its listeners by then.
      if (stream.destroyed) await sent
      throw error
    })
  } finally {
    source.destroy()
    stream.destroy()
  }
}
