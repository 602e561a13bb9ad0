import type { Server } from 'node:http'

/** A handshake or a request that is not complete by then is cut off (security case 135). */
const HEADERS_TIMEOUT_MS = 8_000
const REQUEST_TIMEOUT_MS = 30_000
const SWEEP_MS = 100

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
      // A connection that is kept alive becomes idle only with its last answer, and nobody closes it then but us.
      const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
      server.close(() => {
        clearInterval(sweep)
        done()
      })
      server.closeIdleConnections()
    })
}
