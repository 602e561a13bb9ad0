import type { Server } from 'node:http'

/** A handshake or a request that is not complete by then is cut off (security case 135). */
const HEADERS_TIMEOUT_MS = 8_000
const REQUEST_TIMEOUT_MS = 30_000

/** Listens, and returns the function that stops: no new connection, requests that run are finished. */
export async function listen(server: Server, at: { port: number; host: string }): Promise<() => Promise<void>> {
  server.headersTimeout = HEADERS_TIMEOUT_MS
  server.requestTimeout = REQUEST_TIMEOUT_MS
  await new Promise<void>((done, fail) => {
    const onError = (error: NodeJS.ErrnoException) => {
      fail(error.code === 'EADDRINUSE' ? new Error(`Port ${at.port} of ${at.host} is already in use.`) : error)
    }
    server.once('error', onError)
    server.listen(at.port, at.host, () => {
      server.off('error', onError)
      done()
    })
  })
  return () =>
    new Promise((done) => {
      server.close(() => done())
      server.closeIdleConnections()
    })
}
