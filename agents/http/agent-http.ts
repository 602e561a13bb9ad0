import { createServer, type Server } from 'node:http'
import type { PanelDoor } from './panel-door.ts'

/** The public listener of the node: per-server sockets, and nothing else yet. */
export const createPublicServer = (door: PanelDoor): Server => {
  const server = createServer((_request, response) => {
    response.writeHead(404, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    response.end(JSON.stringify({ error: { code: 'NOT_FOUND', message: 'There is nothing here.' } }))
  })
  server.headersTimeout = 10_000
  server.requestTimeout = 10_000
  server.on('upgrade', (request, stream, head) => {
    // A client that goes away in the handshake must not take the agent with it.
    stream.on('error', () => {})
    door.handleUpgrade(request, stream, head)
  })
  return server
}

/** Resolves once the server listens; rejects when the port is taken. */
export const listen = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.removeListener('error', reject)
      resolve()
    })
  })
