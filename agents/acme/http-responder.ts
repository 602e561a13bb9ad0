import { createServer, type Server } from 'node:http'
import { listen } from '#platform/listen.ts'
import { AgentError } from '../platform/agent-error.ts'
import type { ChallengeResponder } from './network.ts'

const PATH = '/.well-known/acme-challenge/'
const LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 8_192,
}
const MOST_CONNECTIONS = 64

const responderServer = (path: string, text: string): Server => {
  const server = createServer(LIMITS, (request, response) => {
    const isAsked = request.url === path && (request.method === 'GET' || request.method === 'HEAD')
    const type = isAsked ? 'application/octet-stream' : 'text/plain'
    response.writeHead(isAsked ? 200 : 404, { 'content-type': type, 'cache-control': 'no-store', connection: 'close' })
    response.end(isAsked ? text : 'There is nothing here.')
  })
  server.maxConnections = MOST_CONNECTIONS
  return server
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

/**
 * Serves the http-01 challenge (RFC 8555 section 8.3) at each of the addresses. The port is open only during the
 * challenge, and serves only that one text. Rejects with AgentError PORT_UNUSABLE when it cannot be opened.
 */
export const httpResponder = (hosts: readonly string[], port: number): ChallengeResponder => {
  return async (token, text) => {
    const servers: Server[] = []
    const close = async (): Promise<void> => {
      await Promise.all(servers.map(closed))
    }
    for (const host of hosts) {
      const server = responderServer(`${PATH}${token}`, text)
      try {
        await listen(server, { host, port })
      } catch (error) {
        await close()
        const { code = 'unknown' } = error as NodeJS.ErrnoException
        const sentence = `Port ${port} of ${host} cannot be opened (${code}); the authority's check is answered there.`
        throw new AgentError('PORT_UNUSABLE', sentence, { retryable: true })
      }
      servers.push(server)
    }
    return close
  }
}
