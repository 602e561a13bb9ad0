import type { Server } from 'node:http'

const SWEEP_MS = 100

/**
 * Stops listening, and resolves when every request that runs has been answered and every upgraded socket has ended. A
 * connection that is kept alive becomes idle only with its last answer, and nobody closes it then but us.
 */
export const closeServer = (server: Server): Promise<void> =>
  new Promise((done) => {
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
    server.close(() => {
      clearInterval(sweep)
      done()
    })
    server.closeIdleConnections()
  })
