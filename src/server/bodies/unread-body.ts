import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Discards the rest of a request's body once it has its response. Node does so only for bodies that nobody began to
 * read; after another one, as of an upload that is too large, the next request on the connection would never arrive.
 */
export const discardUnread = (request: IncomingMessage, response: ServerResponse): void => {
  response.on('finish', () => {
    if (!request.complete) request.removeAllListeners('data').resume()
  })
}
