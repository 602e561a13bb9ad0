import type { Server } from 'node:net'
import type { Server as HttpServer } from 'node:http'

const SWEEP_MS = 100

/** Resolves once the server listens; rejects with a sentence when the port is taken. */
export const listen = (server: Server, at: { readonly port: number; readonly host: string }): Promise<void> =>
  new Promise((done, fail) => {
    const onError = (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') error.message = `Port ${at.port} of ${at.host} is already in use.`
      fail(error)
    }
    server.once('error', onError)
    server.listen(at.port, at.host, () => {
      server.off('error', onError)
      done()
    })
  })

/**
 * Stops listening, and resolves when every running request has been answered and every upgraded socket has ended. A
 * keep-alive connection becomes idle only after its last response, and then only we can close it.
 */
export const closeServer = (server: Pick<HttpServer, 'close' | 'closeIdleConnections'>): Promise<void> =>
  new Promise((done) => {
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
    server.close(() => {
      clearInterval(sweep)
      done()
    })
    server.closeIdleConnections()
  })
