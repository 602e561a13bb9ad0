import { IncomingMessage, ServerResponse } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { Socket } from 'node:net'

/** A request that no client sent, and its response, which goes to the caller instead of a socket. */
export type DetachedExchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The complete body; status and headers are in `response` by then. */
  readonly body: Promise<Buffer>
  /** Tells listeners that the exchange is over, with or without a response. */
  readonly close: () => void
}

type Chunk = string | Uint8Array

/** Creates a GET request for a path with these headers only, so it contains nothing of any visitor. */
export const detachedExchange = (path: string, headers: IncomingHttpHeaders): DetachedExchange => {
  const request = new IncomingMessage(new Socket())
  Object.assign(request, { method: 'GET', url: path, headers: { ...headers }, httpVersion: '1.1', complete: true })
  request.push(null)
  const response = new ServerResponse(request)
  const chunks: Buffer[] = []
  const body = new Promise<Buffer>((done, fail) => {
    // Without a socket the response would never drain, so its writes are collected here.
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
  // The caller may have stopped waiting.
  body.catch(() => {})
  return { request, response, body, close: () => void response.emit('close') }
}
