import { IncomingMessage, ServerResponse } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { Socket } from 'node:net'

/** A request that no client sent, and the answer to it, which reaches nobody but its maker. */
export type DetachedExchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The body once the answer has ended; status and headers then stand in `response`. */
  readonly body: Promise<Buffer>
  /** Ends the exchange, whether it was answered or not. */
  readonly close: () => void
}

type Chunk = string | Uint8Array

/** Makes a GET request for a path, with these headers alone: nothing of any person is in it. */
export const detachedExchange = (path: string, headers: IncomingHttpHeaders): DetachedExchange => {
  const request = new IncomingMessage(new Socket())
  Object.assign(request, { method: 'GET', url: path, headers: { ...headers }, httpVersion: '1.1', complete: true })
  request.push(null)
  const response = new ServerResponse(request)
  const chunks: Buffer[] = []
  const body = new Promise<Buffer>((done, fail) => {
    // Without a socket nothing would ever drain, so nothing may be written to the response itself.
    Object.assign(response, {
      writeHead: () => response,
      write: (chunk: Chunk) => {
        chunks.push(Buffer.from(chunk as Uint8Array))
        return true
      },
      end: (chunk?: Chunk) => {
        if (chunk !== undefined) chunks.push(Buffer.from(chunk as Uint8Array))
        done(Buffer.concat(chunks))
        return response
      },
      destroy: (error?: Error) => {
        fail(error ?? new Error('The answer was given up.'))
        return response
      },
    })
  })
  // Whoever made the exchange may have given up waiting.
  body.catch(() => {})
  return { request, response, body, close: () => void response.emit('close') }
}
