import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https'
import { OVERLOAD } from '#contracts/overload.ts'
import { PING_PATH } from '#contracts/panel/ping.ts'
import { answerBusy, ConnectionShares } from '#platform/connection-shares.ts'
import { refuseHandshakes } from '#platform/refuse-handshake.ts'
import type { ArchiveDoor } from './archive-door.ts'
import type { ServedCertificate } from './certificate.ts'
import { isAboutUploads } from './file-requests.ts'
import type { FilesDoor } from './files-door.ts'
import type { PanelDoor } from './panel-door.ts'
import type { PortsDoor } from './ports-door.ts'
import { TUS_ABILITIES } from './upload-headers.ts'

/** Incomplete handshakes are dropped after this time, at the latest two seconds later. */
const HANDSHAKE_MS = 7_000
/** An upload on a slow line. The files' door cuts what stands still, and every other door reads no bodies. */
const UPLOAD_MS = 3_600_000
const LOOK_FOR_LATE_MS = 1_000
/** The longest path, percent-encoded, and a token. */
const MAX_HEADER_BYTES = 16_384
const PREFLIGHT_SECONDS = 600
const ALLOWED_HEADERS =
  'authorization, content-type, if-match, if-none-match, range, ' +
  'tus-resumable, upload-length, upload-metadata, upload-offset, upload-checksum'
const refuse = refuseHandshakes(OVERLOAD)

const OPTIONS = {
  headersTimeout: HANDSHAKE_MS,
  requestTimeout: UPLOAD_MS,
  connectionsCheckingInterval: LOOK_FOR_LATE_MS,
  maxHeaderSize: MAX_HEADER_BYTES,
}

/** The CORS headers for the site's pages. Credentials are never allowed, because the node uses no cookies. */
const crossOriginHeaders = (door: PanelDoor, request: IncomingMessage): Record<string, string> => {
  const { origin } = request.headers
  return door.knowsOrigin(origin) ? { 'access-control-allow-origin': origin, vary: 'Origin' } : { vary: 'Origin' }
}

const preflight = (door: PanelDoor, request: IncomingMessage, response: ServerResponse): void => {
  const isKnown = door.knowsOrigin(request.headers.origin)
  const asksForPrivateNetwork = request.headers['access-control-request-private-network'] === 'true'
  const allowed = {
    'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': ALLOWED_HEADERS,
    'access-control-max-age': String(PREFLIGHT_SECONDS),
    ...(asksForPrivateNetwork ? { 'access-control-allow-private-network': 'true' } : {}),
  }
  const about = isAboutUploads(request.url) ? TUS_ABILITIES : {}
  // A program that asks for the abilities of uploads is no page of another site.
  const isAsking = request.headers.origin === undefined && isAboutUploads(request.url)
  response.writeHead(isKnown || isAsking ? 204 : 403, {
    ...crossOriginHeaders(door, request),
    ...(isKnown ? allowed : {}),
    ...about,
  })
  response.end()
}

/** Answers a browser of the site at once and without a body: the time it takes is its ping to this node. */
const ping = (door: PanelDoor, request: IncomingMessage, response: ServerResponse): void => {
  const isKnown = door.knowsOrigin(request.headers.origin)
  response.writeHead(isKnown ? 204 : 403, { 'cache-control': 'no-store', ...crossOriginHeaders(door, request) })
  response.end()
}

interface Doors {
  readonly panel: PanelDoor
  readonly archives: ArchiveDoor
  readonly files: FilesDoor
  readonly ports: PortsDoor
}

/**
 * A request whose response ends before its body does is cut: nobody reads the rest, and it would keep its connection.
 */
const cutLateBody = (request: IncomingMessage, response: ServerResponse): void => {
  // A request loses its socket when the client is gone.
  const { socket } = request
  response.once('finish', () => {
    if (request.complete || socket.destroyed) return
    const late = setTimeout(() => {
      if (!request.complete) socket.destroy()
    }, HANDSHAKE_MS)
    socket.once('close', () => clearTimeout(late))
  })
}

/**
 * The public listener of the node: per-server sockets, files, ports, archives of expired servers, pings, and preflights. With a certificate
 * it speaks only TLS: before the first pair is ready, every handshake fails.
 */
export const createPublicServer = (
  { panel: door, archives, files, ports }: Doors,
  certificate?: ServedCertificate,
): Server | TlsServer => {
  const shares = new ConnectionShares(OVERLOAD.agent.connections)
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    cutLateBody(request, response)
    if (shares.isOver(request.socket)) return answerBusy(response, OVERLOAD.retryAfterSeconds)
    if (request.method === 'OPTIONS') return preflight(door, request, response)
    if (request.method === 'GET' && request.url === PING_PATH) return ping(door, request, response)
    if (archives.serverOf(request.url) !== undefined) {
      void archives.answer(request, response, crossOriginHeaders(door, request))
      return undefined
    }
    if (files.isAbout(request.url)) {
      void files.answer(request, response, crossOriginHeaders(door, request))
      return undefined
    }
    if (ports.isAbout(request.url)) {
      void ports.answer(request, response, crossOriginHeaders(door, request))
      return undefined
    }
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
    response.writeHead(404, { ...headers, ...crossOriginHeaders(door, request) })
    response.end(JSON.stringify({ error: { code: 'NOT_FOUND', message: 'There is nothing here.' } }))
    return undefined
  }
  const server =
    certificate === undefined
      ? createServer(OPTIONS, answer)
      : createTlsServer(
          { ...OPTIONS, ...certificate.pair, minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_MS },
          answer,
        )
  shares.watch(server)
  server.on('upgrade', (request, stream, head) => {
    // A client that disconnects during the handshake must not crash the agent.
    stream.on('error', () => {})
    if (shares.isOver(request.socket)) refuse(stream, 503)
    else door.handleUpgrade(request, stream, head)
  })
  return server
}
