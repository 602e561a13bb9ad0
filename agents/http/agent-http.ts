import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https'
import { OVERLOAD } from '#contracts/overload.ts'
import { AGENT_CORS, AGENT_HTTP } from '#contracts/panel/agent-http.ts'
import { answerBusy, ConnectionShares } from '#platform/connection-shares.ts'
import { refuseHandshakes } from '#platform/refuse-handshake.ts'
import { routeOf, type Asked, type PathCalls } from './agent-router.ts'
import type { ArchiveDoor } from './archive-door.ts'
import type { ServedCertificate } from './certificate.ts'
import type { FilesDoor } from './files-door.ts'
import type { PanelDoor } from './panel-door.ts'
import type { PortsDoor } from './ports-door.ts'
import { FILE_HEADERS } from './safe-headers.ts'
import { TUS_ABILITIES, TUS_HEADERS } from './upload-headers.ts'

/** Incomplete handshakes are dropped after this time, at the latest two seconds later. */
const HANDSHAKE_MS = 7_000
/** An upload on a slow line. The files' door cuts what stands still, and every other door reads no bodies. */
const UPLOAD_MS = 3_600_000
const LOOK_FOR_LATE_MS = 1_000
/** The longest path, percent-encoded, and a token. */
const MAX_HEADER_BYTES = 16_384
const METHODS = [...new Set(AGENT_HTTP.map(({ method }) => method))].join(', ')
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

const isAboutUploads = (at: PathCalls | undefined): boolean =>
  at?.calls.some(({ serves }) => serves === 'uploads' || serves === 'upload') ?? false

const preflight = (door: PanelDoor, request: IncomingMessage, response: ServerResponse): void => {
  const isKnown = door.knowsOrigin(request.headers.origin)
  const asksForPrivateNetwork = request.headers['access-control-request-private-network'] === 'true'
  const allowed = {
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': AGENT_CORS.requestHeaders.join(', '),
    'access-control-max-age': String(AGENT_CORS.maxAgeSeconds),
    ...(asksForPrivateNetwork ? { 'access-control-allow-private-network': 'true' } : {}),
  }
  const isUploads = isAboutUploads(routeOf(request.url))
  // A program that asks for the abilities of uploads is no page of another site.
  const isAsking = request.headers.origin === undefined && isUploads
  response.writeHead(isKnown || isAsking ? 204 : 403, {
    ...crossOriginHeaders(door, request),
    ...(isKnown ? allowed : {}),
    ...(isUploads ? TUS_ABILITIES : {}),
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

/** Answers what the table does not have: another path, another method, or a socket that is asked for without its handshake. */
const refuseUnknown = (at: PathCalls | undefined, { response, headers }: Omit<Asked, 'routed'>): void => {
  const methods = at?.calls.filter(({ serves }) => serves !== 'socket').map(({ method }) => method) ?? []
  const error =
    methods.length === 0
      ? { code: 'NOT_FOUND', message: 'There is nothing here.' }
      : { code: 'METHOD_NOT_ALLOWED', message: 'This is not possible.' }
  response.writeHead(methods.length === 0 ? 404 : 405, {
    'content-type': 'application/json',
    ...FILE_HEADERS,
    ...headers,
    ...(isAboutUploads(at) ? TUS_HEADERS : {}),
    ...(methods.length === 0 ? {} : { allow: methods.join(', ') }),
  })
  response.end(JSON.stringify({ error }))
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
 * The public listener of the node: the calls of `AGENT_HTTP` and no other one, sockets of servers among them, and preflights. With a
 * certificate it speaks only TLS: before the first pair is ready, every handshake fails.
 */
export const createPublicServer = (
  { panel, archives, files, ports }: Doors,
  certificate?: ServedCertificate,
): Server | TlsServer => {
  const shares = new ConnectionShares(OVERLOAD.agent.connections)
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    cutLateBody(request, response)
    if (shares.isOver(request.socket)) return answerBusy(response, OVERLOAD.retryAfterSeconds)
    if (request.method === 'OPTIONS') return preflight(panel, request, response)
    const at = routeOf(request.url)
    const routed = at?.routed(request.method)
    const headers = crossOriginHeaders(panel, request)
    if (routed === undefined || routed.call.serves === 'socket')
      return refuseUnknown(at, { request, response, headers })
    const asked: Asked = { routed, request, response, headers }
    const { serves } = routed.call
    if (serves === 'ping') return ping(panel, request, response)
    if (serves === 'archive') return void archives.answer(asked)
    if (serves === 'ports') return void ports.answer(asked)
    return void files.answer(asked)
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
    const routed = routeOf(request.url)?.routed('GET')
    if (shares.isOver(request.socket)) refuse(stream, 503)
    else if (routed?.call.serves !== 'socket') refuse(stream, 404)
    else panel.handleUpgrade(routed.serverId, { request, stream, head })
  })
  return server
}
