import type { IncomingMessage } from 'node:http'
import { OVERLOAD } from '#contracts/overload.ts'

/** `gone`: the client disconnected. `late`: the body did not arrive in time. */
export type BodyArrival = 'whole' | 'gone' | 'late'

export type BodyBounds = { readonly bodyBytes: number; readonly bodyMs: number }

/** Where the adapter of the API's framework finds a body that was read before. */
type WithBody = IncomingMessage & { rawBody?: Buffer }

/**
 * Reads a request's body before the request waits for anything, so that nobody's unfinished body holds a place. A body
 * above the limit is cut just beyond it, and the API refuses it by its length.
 */
export const readWhole = (
  request: WithBody,
  { bodyBytes, bodyMs }: BodyBounds = OVERLOAD.site.signIns,
): Promise<BodyArrival> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const end = (arrival: BodyArrival) => {
      clearTimeout(timer)
      request.off('data', onData).off('end', onEnd).off('close', onGone)
      request.pause()
      if (arrival === 'whole') request.rawBody = Buffer.concat(chunks)
      resolve(arrival)
    }
    const onData = (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.byteLength
      if (size > bodyBytes) end('whole')
    }
    const onEnd = () => end('whole')
    const onGone = () => end('gone')
    const timer = setTimeout(() => end('late'), bodyMs)
    // A connection that is reset is `close` too; without a listener its error would end the program.
    request.on('error', () => {})
    request.on('data', onData).on('end', onEnd).on('close', onGone)
  })
