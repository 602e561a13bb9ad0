import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { cookieName, readCookie } from '../identity/sessions/cookies.ts'
import { localeCookie } from '../i18n/locales.ts'
import { markOf } from './answer-headers.ts'
import { rulesFor } from './answer-rules.ts'
import { isApiPath } from './api-door.ts'
import { answerApplePayDomain } from './apple-pay-domain.ts'
import { answerBusy } from './busy-answer.ts'
import { OVERLOAD } from '#contracts/overload.ts'
import { addressKey } from '#platform/address-key.ts'
import { clientAddress } from '#platform/client-address.ts'
import type { Trust } from '#platform/client-address.ts'
import { ConnectionShares } from '#platform/connection-shares.ts'
import { createFairTurns } from '#platform/fair-turns.ts'
import type { FairTurns } from '#platform/fair-turns.ts'
import { isOverloaded } from '#platform/overloaded.ts'
import { createGatewayProxy, passRequest, refuseSocket } from './gateway-proxy.ts'
import { refuseLateBody } from './late-body.ts'
import type { DemoMails } from './demo-mails.ts'
import type { Logger } from '#platform/logger.ts'
import type { Metrics } from './metrics.ts'
import type { NodeOrigins } from './node-origins.ts'
import { createOutgoingCaches, takeOver } from './outgoing.ts'
import type { OutgoingCaches } from './outgoing.ts'
import { answerPushWorker } from './push-worker.ts'
import { isAdminPath, routeRequest } from './page-routing.ts'
import type { Routing } from './page-routing.ts'
import { createPageDoor } from './page-door.ts'
import type { PageDoor } from './page-door.ts'
import type { PageMemory } from './page-memory.ts'
import { askedWithMark } from './policy-mark.ts'
import { createReadingTurns, rankOf } from './reading-turns.ts'
import { isLoopbackAlias, ownHeaders } from './request-headers.ts'
import { takesTurn, turnOf } from './sign-in-line.ts'
import { readWhole } from './bodies/whole-body.ts'
import { discardUnread } from './bodies/unread-body.ts'
import { acts, refuseStranger } from './staff-door.ts'
import type { IsStaff } from './staff-door.ts'

export type SiteParts = {
  /** The site's own API: everything below /api except Payload's. */
  readonly api: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  readonly next: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  /** Decides whether a caller may call the admin's functions. Checked before Next reads the call. */
  readonly isStaff: IsStaff
  /** Next's own sockets in development. */
  readonly nextUpgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  readonly isDevelopment: boolean
  readonly siteUrl: string
  readonly isSecure: boolean
  readonly gatewayUrl: string
  readonly trust: Trust
  readonly nodeOrigins: NodeOrigins
  /** The address of the card page's script. */
  readonly stripeScriptUrl: string
  /** The content of Apple's domain file; without it the file does not exist. */
  readonly applePayDomain?: string | undefined
  /** The page memory; without it, as in development, Next serves every page. */
  readonly keptPages?: { readonly memory: PageMemory; readonly prerendered: ReadonlySet<string> }
  /** Only in the demo. */
  readonly mails?: DemoMails
  readonly log: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>
  readonly metrics: Metrics
  readonly nowMs: () => number
}

type Kind = Routing['kind']
type Exchange = {
  request: IncomingMessage
  response: ServerResponse
  routing: Routing
  requestId: string
  address: string
}

/** The listener's state for all requests. */
type Own = { readonly caches: OutgoingCaches; readonly line: FairTurns; readonly pages?: PageDoor | undefined }

const routingOf = (request: IncomingMessage, { isSecure, mails }: SiteParts): Routing => {
  if (mails?.owns((request.url ?? '/').split('?')[0] ?? '/')) return { kind: 'mails' }
  const cookies = request.headers.cookie
  return routeRequest({
    target: request.url ?? '/',
    localeCookie: readCookie(cookies, localeCookie.name),
    acceptLanguage: request.headers['accept-language'],
    hasSession: readCookie(cookies, cookieName('access', isSecure)) !== null,
  })
}

/** Pages and files are read-only. Next would handle any other method as a GET, and fail at TRACE. */
const allowedMethods = (kind: Kind): readonly string[] | null =>
  ['page', 'asset', 'file', 'mails', 'worker', 'apple-pay'].includes(kind) ? ['GET', 'HEAD'] : null

const refuseMethod = ({ request, response, routing }: Exchange, parts: SiteParts): boolean => {
  const allowed = parts.isDevelopment ? null : allowedMethods(routing.kind)
  const { method = 'GET' } = request
  if (method !== 'TRACE' && (allowed === null || allowed.includes(method))) return false
  response.writeHead(405, { ...(allowed ? { Allow: allowed.join(', ') } : {}), 'Cache-Control': 'no-store' })
  response.end()
  return true
}

const passToNext = async (exchange: Exchange, parts: SiteParts): Promise<void> => {
  const { request, response, routing } = exchange
  // Next must not compress: the response is scanned, and compressed, here.
  delete request.headers['accept-encoding']
  if (routing.kind === 'page' && routing.target !== request.url) {
    request.url = routing.target
    // This header tells Next's router in the browser which page responded, as after a rewrite of its own.
    if (request.headers['rsc'] !== undefined)
      response.setHeader('x-nextjs-rewritten-path', routing.target.split('?')[0] ?? '/')
  }
  if (routing.kind === 'page') {
    const asked = askedWithMark(request.headers['if-none-match'], markOf(parts))
    if (asked === undefined) delete request.headers['if-none-match']
    else request.headers['if-none-match'] = asked
  }
  // For HEAD Next renders no page: its policy could not include the scripts, and its status may be in its body. Instead
  // the body is dropped on its way out.
  if (routing.kind === 'page' && request.method === 'HEAD') request.method = 'GET'
  await parts.next(request, response)
}

const passInside = (exchange: Exchange, parts: SiteParts): Promise<void> => {
  const { request, response, routing } = exchange
  const isApi = routing.kind === 'api' && isApiPath((request.url ?? '/').split('?')[0] ?? '/')
  return isApi ? parts.api(request, response) : passToNext(exchange, parts)
}

// A function of the admin is called by a POST to one of its pages. A visitor's read is redirected to the sign-in; a
// call is refused.
const isStrangersCall = async ({ request, routing }: Exchange, { isStaff }: SiteParts): Promise<boolean> => {
  if (!acts(request)) return false
  if (routing.kind === 'redirect') return isAdminPath((request.url ?? '/').split('?')[0] ?? '/')
  return routing.kind === 'admin' && !(await isStaff(request))
}

/**
 * Lets a sign-in in when it is its turn. Its body is read before: only complete requests wait, and nobody holds a place
 * with a body that never ends.
 */
const passInTurn = async (exchange: Exchange, parts: SiteParts, line: FairTurns): Promise<void> => {
  const { request, response, address } = exchange
  const arrival = await readWhole(request)
  if (arrival === 'late') return refuseLateBody(exchange)
  await line(turnOf(request, { address, isSecure: parts.isSecure }), async () => {
    // A client that disconnected meanwhile is not signed in.
    if (!response.destroyed) await passInside(exchange, parts)
  })
}

/**
 * Whether the page is served from memory, at once or when the promise resolves. Objects on the way of every request are
 * written out: V8 puts the properties of `{ ...a, b }` into its old space, where even a dead copy keeps request and response
 * alive until the next major collection (decision 36).
 */
const answerKept = (
  { request, response, routing, requestId }: Exchange,
  pages: PageDoor | undefined,
): boolean | Promise<boolean> =>
  pages !== undefined && routing.kind === 'page' && pages({ request, response, routing, requestId })

const answer = async (exchange: Exchange, parts: SiteParts, own: Own): Promise<void> => {
  const { request, response, routing } = exchange
  const { caches, line } = own
  const isAnswered = answerKept(exchange, own.pages)
  if (isAnswered === true || (await isAnswered)) return
  takeOver(response, rulesFor(exchange, parts, caches), request.method === 'HEAD')
  if (refuseMethod(exchange, parts)) return
  if (await isStrangersCall(exchange, parts)) return refuseStranger(response)
  if (routing.kind === 'redirect') {
    response.setHeader('Cache-Control', 'private, no-store')
    response.writeHead(307, { Location: routing.location })
    response.end()
  } else if (routing.kind === 'absent') {
    response.writeHead(404, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' })
    response.end(JSON.stringify({ error: { code: 'NOT_FOUND', message: 'Not found.', requestId: exchange.requestId } }))
  } else if (routing.kind === 'payments') passRequest(parts.gatewayUrl, request, response)
  else if (routing.kind === 'worker') answerPushWorker(request, response)
  else if (routing.kind === 'apple-pay') answerApplePayDomain(parts.applePayDomain, request, response)
  else if (routing.kind === 'mails') await parts.mails?.answer(request, response)
  else if (takesTurn(request.method, (request.url ?? '/').split('?')[0] ?? '/')) await passInTurn(exchange, parts, line)
  else await passInside(exchange, parts)
}

type Asked = { method: string | undefined; path: string; startedMs: number }

const record = (exchange: Exchange & Asked, parts: SiteParts) => {
  const { response, routing, requestId, method, address, path, startedMs } = exchange
  const durationMs = Math.round(parts.nowMs() - startedMs)
  parts.metrics.requests.inc({ kind: routing.kind, status: response.statusCode })
  parts.metrics.durations.observe({ kind: routing.kind }, durationMs / 1_000)
  const line = { requestId, method, path, status: response.statusCode, durationMs, address }
  if (routing.kind === 'asset') parts.log.debug(line, 'answered')
  else parts.log.info(line, 'answered')
}

type Arrived = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly startedMs: number }

const handle = ({ request, response, startedMs }: Arrived, parts: SiteParts & Own) => {
  const askedHost = request.headers.host
  const { address, requestId } = ownHeaders(request, parts)
  // Query strings contain tickets and tokens, so no log line has one.
  const path = (request.url ?? '/').split('?')[0] ?? '/'
  const isNavigation = request.method === 'GET' && request.headers['sec-fetch-mode'] === 'navigate'
  const routing: Routing =
    isNavigation && isLoopbackAlias(askedHost, parts.siteUrl) && request.url?.startsWith('/')
      ? // Joined as text: as an address of its own `//host` would lead to another site.
        { kind: 'redirect', location: `${new URL(parts.siteUrl).origin}${request.url}` }
      : routingOf(request, parts)
  const exchange = { request, response, routing, requestId, address }
  // Saved now, because the request passed to Next may be rewritten.
  const { method } = request
  response.on('close', () => record({ request, response, routing, requestId, method, address, path, startedMs }, parts))
  discardUnread(request, response)
  answer(exchange, parts, parts).catch((error: unknown) => {
    const isBusy = isOverloaded(error)
    if (!isBusy) parts.log.error({ requestId, path, err: error }, 'request failed')
    if (response.headersSent) return response.destroy()
    if (isBusy) return answerBusy(request, response)
    response.statusCode = 500
    response.end()
  })
}

const pageDoorOf = (parts: SiteParts, caches: OutgoingCaches): PageDoor | undefined => {
  const { keptPages, metrics } = parts
  if (keptPages === undefined) return undefined
  const counts = { memory: metrics.pages.labels('memory'), next: metrics.pages.labels('next') }
  return createPageDoor({ ...parts, ...keptPages, caches, onMade: (from) => counts[from].inc() })
}

/** The public listener of the site: every request of a browser arrives here first. */
export const createSiteListener = (parts: SiteParts): { server: Server; endSockets: () => void } => {
  const caches = createOutgoingCaches()
  const own: Own = { caches, line: createFairTurns(OVERLOAD.site.signIns), pages: pageDoorOf(parts, caches) }
  const proxy = createGatewayProxy({
    gatewayUrl: parts.gatewayUrl,
    onSockets: (count) => parts.metrics.sockets.set(count),
  })
  const developmentSockets = new Set<Duplex>()
  const readInTurn = createReadingTurns()
  const shares = new ConnectionShares(OVERLOAD.site.connections, (address) => parts.trust(address, 0))
  const all = { ...parts, ...own }
  const server = createServer(
    { headersTimeout: 15_000, requestTimeout: 120_000, keepAliveTimeout: 75_000, maxHeaderSize: 32_768 },
    (request, response) => {
      const refuse = () => {
        parts.metrics.requests.inc({ kind: 'refused', status: 503 })
        answerBusy(request, response)
      }
      if (shares.isOver(request.socket)) return refuse()
      const arrived = { request, response, startedMs: parts.nowMs() }
      const rank = rankOf(request, parts.isSecure)
      if (rank === null) return handle(arrived, all)
      const address = addressKey(clientAddress(request, parts.trust))
      // A client that has disconnected meanwhile reads nothing.
      return readInTurn({ rank, address, refuse, run: () => void (response.destroyed || handle(arrived, all)) })
    },
  )
  shares.watch(server)
  server.on('upgrade', (request, socket, head) => {
    // Node removes its own listener: a client that resets the connection would end the program.
    socket.on('error', () => {})
    const path = (request.url ?? '/').split('?')[0]
    if (shares.isOver(request.socket)) refuseSocket(socket, 503)
    else if (path === '/api/ws/gateway') {
      const { address, requestId } = ownHeaders(request, parts)
      parts.log.info({ requestId, path, address }, 'socket passed on')
      proxy.upgrade({ request, socket, head, address })
    } else if (parts.nextUpgrade) {
      developmentSockets.add(socket)
      socket.on('close', () => developmentSockets.delete(socket))
      parts.nextUpgrade(request, socket, head)
    } else refuseSocket(socket, 404)
  })
  const endSockets = () => {
    proxy.end()
    for (const socket of developmentSockets) socket.destroy()
  }
  return { server, endSockets }
}
