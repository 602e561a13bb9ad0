import type { Server } from 'node:http'
import { closeServer, listen } from '#platform/listen.ts'

/** A handshake or request that is incomplete by then is cut off (security case 135). */
const HEADERS_TIMEOUT_MS = 8_000
const REQUEST_TIMEOUT_MS = 30_000

/** Listens, and returns the stop function: no new connections, running requests finish. */
export async function openListener(server: Server, at: { port: number; host: string }): Promise<() => Promise<void>> {
  server.headersTimeout = HEADERS_TIMEOUT_MS
  server.requestTimeout = REQUEST_TIMEOUT_MS
  await listen(server, at)
  return () => closeServer(server)
}
