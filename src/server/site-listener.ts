import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { cookieName, readCookie } from '../identity/sessions/cookies.ts'
import { localeCookie } from '../i18n/locales.ts'
import { apiRefusal } from './api-refusal.ts'
import { isApiPath } from './api-door.ts'
import { answerApplePayDomain } from './apple-pay-domain.ts'
import { cardOrigins, cardPageHeaders, isCardPage } from './card-page.ts'
import type { Trust } from '#platform/client-address.ts'
import { chooseEncoding } from './compression.ts'
import { DATA_POLICY, adminPolicy, cardPolicy, developmentPolicy, pagePolicy } from './content-security-policy.ts'
import { createGatewayProxy, passRequest, refuseSocket } from './gateway-proxy.ts'
import type { DemoMails } from './demo-mails.ts'
import type { Logger } from '#platform/logger.ts'
import type { Metrics } from './metrics.ts'
import type { NodeOrigins } from './node-origins.ts'
import { addVary, createOutgoingCaches, takeOver } from './outgoing.ts'
import type { OutgoingCaches, OutgoingRules } from './outgoing.ts'
import { answerPushWorker } from './push-worker.ts'
import { routeRequest } from './page-routing.ts'
import type { Routing } from './page-routing.ts'
import { markedStatus } from './page-status.ts'
import { askedWithMark, policyMark, withMark } from './policy-mark.ts'
import { isLoopbackAlias, ownHeaders } from './request-headers.ts'
import { securityHeaders } from './security-headers.ts'
import { createSignInLine, standsInLine } from './sign-in-line.ts'

export type SiteParts = {
  /** The site's own API: everything below /api except Payload's. */
  readonly api: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  readonly next: (request: IncomingMessage, response: ServerResponse) => Promise<void>
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
  /** Only in the demo. */
  readonly mails?: DemoMails
  readonly log: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>
  readonly metrics: Metrics
  readonly nowMs: () => number
}

type Kind = Routing['kind']
type Line = ReturnType<typeof createSignInLine>
type Exchange = { request: IncomingMessage; response: ServerResponse; routing: Routing; requestId: string }

/** The listener's state for all requests. */
type Own = { readonly caches: OutgoingCaches; readonly line: Line }

const NO_HASHES = { scripts: [], styles: [], styleAttributes: [] }

const policyFor = (routing: Routing, parts: SiteParts): OutgoingRules['policy'] => {
  const options = { connect: parts.nodeOrigins.current(), isSecure: parts.isSecure }
  if (routing.kind === 'admin' || routing.kind === 'mails') return null
  const ofCard = isCardPage(routing) ? cardOrigins(parts.stripeScriptUrl) : null
  if (parts.isDevelopment) return () => developmentPolicy(options, ofCard ?? undefined)
  if (ofCard) return (hashes) => cardPolicy(hashes ?? NO_HASHES, options, ofCard)
  return (hashes) => pagePolicy(hashes ?? NO_HASHES, options)
}

const isPage = (response: ServerResponse) =>
  /^text\/(html|x-component)/i.test(String(response.getHeader('content-type') ?? ''))

// A shared cache keeps a public page only briefly: the site itself serves it from memory, and staff see at once what
// they publish.
const PUBLIC_CACHE = 'public, max-age=0, s-maxage=5, stale-while-revalidate=60'

// Next writes the requested address into the page, with its query: such a response is private to the requester. Only
// its own router's parameter changes nothing in it.
const namesItsQuery = ({ target }: Routing & { kind: 'page' }) =>
  [...new URLSearchParams(target.split('?')[1] ?? '').keys()].some((name) => name !== '_rsc')

const setPageHeaders = (response: ServerResponse, routing: Routing & { kind: 'page' }, mark: string) => {
  response.setHeader('Content-Language', routing.locale)
  // A response without a body updates the headers of the stored page.
  const isUnchanged = response.statusCode === 304
  if (!isPage(response) && !isUnchanged) return
  const etag = response.getHeader('etag')
  if (typeof etag === 'string') response.setHeader('ETag', withMark(etag, mark))
  const isShared = routing.isPublic && !namesItsQuery(routing)
  const isCacheable = isShared && (response.statusCode === 200 || isUnchanged)
  response.setHeader('Cache-Control', isCacheable ? PUBLIC_CACHE : 'private, no-cache')
  if (!routing.isPublic) addVary(response, 'Cookie', 'Accept-Language')
}

const setDefaultPolicy = (response: ServerResponse, kind: Kind, parts: SiteParts) => {
  if (response.hasHeader('content-security-policy') || response.statusCode === 304) return
  const options = { connect: parts.nodeOrigins.current(), isSecure: parts.isSecure }
  if (kind === 'admin') response.setHeader('Content-Security-Policy', adminPolicy(options))
  else if (!isPage(response)) response.setHeader('Content-Security-Policy', DATA_POLICY)
}

const PICTURES = ['/api/cms/media/file/', '/api/uploads/profile/']
const isPicture = (request: IncomingMessage) => PICTURES.some((path) => request.url?.startsWith(path) === true)

// API responses, including refusals, are private to one caller and must not be cached. Pictures set their own caching.
const setApiHeaders = (response: ServerResponse, request: IncomingMessage) => {
  if (isPicture(request) && response.statusCode < 400) return
  response.setHeader('Cache-Control', 'private, no-store')
}

// Next repeats the Location header of a redirect from its cache; strict clients refuse such a response.
const keepOneLocation = (response: ServerResponse) => {
  const location = response.getHeader('location')
  if (Array.isArray(location)) response.setHeader('Location', location[0] ?? '/')
}

// Links in mails contain a token in their query: it must not leak to another page (security case 23).
const TOKEN_PAGE = /^\/[a-z]{2}\/auth\/(?:passwordreset|email|deletion)(?:[/?]|$)/
const mayHoldToken = (routing: Routing) =>
  routing.kind === 'mails' || (routing.kind === 'page' && TOKEN_PAGE.test(routing.target))

const hideToken = (response: ServerResponse) => {
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('Cache-Control', 'private, no-store')
}

// The policies of all pages depend on these addresses.
const markOf = ({ nodeOrigins, stripeScriptUrl }: SiteParts) => policyMark([...nodeOrigins.current(), stripeScriptUrl])

const finishFor = ({ request, routing, requestId }: Exchange, parts: SiteParts) => {
  const ofCard = isCardPage(routing) ? cardPageHeaders(cardOrigins(parts.stripeScriptUrl)) : {}
  const fixed = { ...securityHeaders(parts.isSecure), ...ofCard }
  const mark = markOf(parts)
  return (response: ServerResponse) => {
    for (const [name, value] of Object.entries(fixed)) response.setHeader(name, value)
    response.setHeader('X-Request-Id', requestId)
    response.removeHeader('x-powered-by')
    keepOneLocation(response)
    if (routing.kind === 'page') setPageHeaders(response, routing, mark)
    if (mayHoldToken(routing)) hideToken(response)
    if (routing.kind === 'api') setApiHeaders(response, request)
    setDefaultPolicy(response, routing.kind, parts)
  }
}

// A chunk's query does not change it: otherwise each variant would be compressed and cached separately.
const chunkOf = (url = '/') => (url.startsWith('/_next/static/') ? (url.split('?')[0] ?? null) : null)

const rulesFor = (exchange: Exchange, parts: SiteParts, caches: OutgoingCaches): OutgoingRules => {
  const { request, routing, requestId } = exchange
  return {
    caches,
    encoding: parts.isDevelopment ? null : chooseEncoding(request.headers['accept-encoding']),
    immutableKey: parts.isDevelopment ? null : chunkOf(request.url),
    finish: finishFor(exchange, parts),
    policy: policyFor(routing, parts),
    ...(routing.kind === 'api' ? { replace: apiRefusal(requestId) } : {}),
    ...(routing.kind === 'page' ? { statusOf: markedStatus } : {}),
  }
}

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

const answer = async (exchange: Exchange, parts: SiteParts, { caches, line }: Own): Promise<void> => {
  const { request, response, routing } = exchange
  takeOver(response, rulesFor(exchange, parts, caches), request.method === 'HEAD')
  if (refuseMethod(exchange, parts)) return
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
  else if (standsInLine(request.method, (request.url ?? '/').split('?')[0] ?? '/'))
    await line(async () => {
      // A client that disconnected meanwhile is not signed in.
      if (!response.destroyed) await passInside(exchange, parts)
    })
  else await passInside(exchange, parts)
}

type Asked = { method: string | undefined; address: string; path: string; startedMs: number }

const record = (exchange: Exchange & Asked, parts: SiteParts) => {
  const { response, routing, requestId, method, address, path, startedMs } = exchange
  const durationMs = Math.round(parts.nowMs() - startedMs)
  parts.metrics.requests.inc({ kind: routing.kind, status: response.statusCode })
  parts.metrics.durations.observe({ kind: routing.kind }, durationMs / 1_000)
  const line = { requestId, method, path, status: response.statusCode, durationMs, address }
  if (routing.kind === 'asset') parts.log.debug(line, 'answered')
  else parts.log.info(line, 'answered')
}

const handle = (request: IncomingMessage, response: ServerResponse, parts: SiteParts & Own) => {
  const startedMs = parts.nowMs()
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
  const exchange = { request, response, routing, requestId }
  // Saved now, because the request passed to Next may be rewritten.
  const { method } = request
  response.on('close', () => record({ ...exchange, method, address, path, startedMs }, parts))
  answer(exchange, parts, parts).catch((error: unknown) => {
    parts.log.error({ requestId, path, err: error }, 'request failed')
    if (response.headersSent) return response.destroy()
    response.statusCode = 500
    response.end()
  })
}

/** The public listener of the site: every request of a browser arrives here first. */
export const createSiteListener = (parts: SiteParts): { server: Server; endSockets: () => void } => {
  const own: Own = { caches: createOutgoingCaches(), line: createSignInLine() }
  const proxy = createGatewayProxy({
    gatewayUrl: parts.gatewayUrl,
    onSockets: (count) => parts.metrics.sockets.set(count),
  })
  const developmentSockets = new Set<Duplex>()
  const server = createServer(
    { headersTimeout: 15_000, requestTimeout: 120_000, keepAliveTimeout: 75_000, maxHeaderSize: 32_768 },
    (request, response) => handle(request, response, { ...parts, ...own }),
  )
  server.on('upgrade', (request, socket, head) => {
    // Node removes its own listener: a client that resets the connection would end the program.
    socket.on('error', () => {})
    const path = (request.url ?? '/').split('?')[0]
    if (path === '/api/ws/gateway') {
      const { address, requestId } = ownHeaders(request, parts)
      parts.log.info({ requestId, path, address }, 'socket passed on')
      proxy.upgrade({ request, socket, head, address })
    } else if (parts.nextUpgrade) {
      developmentSockets.add(socket)
      socket.on('close', () => developmentSockets.delete(socket))
      parts.nextUpgrade(request, socket, head)
    } else refuseSocket(socket, '404 Not Found')
  })
  const endSockets = () => {
    proxy.end()
    for (const socket of developmentSockets) socket.destroy()
  }
  return { server, endSockets }
}
