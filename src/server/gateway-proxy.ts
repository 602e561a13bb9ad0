import { request as httpRequest } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { OVERLOAD } from '#contracts/overload.ts'
import { addressKey } from '#platform/address-key.ts'
import { refuseHandshakes } from '#platform/refuse-handshake.ts'

/** The maximum number of proxied sockets, in total and per address (IPv6 by /64). */
const LIMITS = OVERLOAD.site.sockets
const HANDSHAKE_MS = 10_000
/** A WebSocket close frame with code 1012 (service restart), as a server writes it. */
const RESTART_FRAME = Buffer.from([0x88, 0x02, 0x03, 0xf4])
/** How long a browser has to close its side. */
const GOODBYE_MS = 1_000
const ANSWER_MS = 30_000

const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

type Target = { readonly gatewayUrl: string; readonly onSockets?: (count: number) => void }

export const refuseSocket = refuseHandshakes(OVERLOAD)

const headLines = (answer: IncomingMessage) => {
  const lines = [`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage ?? ''}`]
  for (let at = 0; at < answer.rawHeaders.length; at += 2) {
    lines.push(`${answer.rawHeaders[at] ?? ''}: ${answer.rawHeaders[at + 1] ?? ''}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}

// The gateway identifies the caller by ticket or token; it must not get the site's cookies.
const withoutCookies = ({ headers }: IncomingMessage) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'cookie' && name !== 'accept-encoding'))

/** Connects the client's socket with the gateway's, and returns a function that says goodbye to the client instead. */
const join = (one: Duplex, other: Duplex) => {
  one.pipe(other)
  other.pipe(one)
  const endBoth = () => {
    one.destroy()
    other.destroy()
  }
  for (const side of [one, other]) {
    side.on('error', endBoth)
    side.on('close', endBoth)
  }
  return () => {
    other.unpipe(one)
    one.unpipe(other)
    one.resume()
    one.end(RESTART_FRAME)
    setTimeout(endBoth, GOODBYE_MS)
  }
}

type Handshake = {
  request: IncomingMessage
  socket: Duplex
  head: Buffer
  release: () => void
  /** Receives the function that ends the socket properly, once it is open. */
  joined: (goodbye: () => void) => void
}

const passOn = (gatewayUrl: string, { request, socket, head, release, joined }: Handshake): void => {
  const upstream = httpRequest(new URL(request.url ?? '/', gatewayUrl), {
    headers: withoutCookies(request),
    timeout: HANDSHAKE_MS,
  })
  socket.on('error', () => upstream.destroy())
  socket.on('close', () => {
    upstream.destroy()
    release()
  })
  upstream.on('upgrade', (answer, other, rest) => {
    other.setTimeout(0)
    socket.write(headLines(answer))
    if (rest.byteLength > 0) socket.write(rest)
    if (head.byteLength > 0) other.write(head)
    joined(join(socket, other))
  })
  // The gateway refuses a handshake by an ordinary response.
  upstream.on('response', (answer) => {
    answer.resume()
    refuseSocket(socket, answer.statusCode ?? 502)
  })
  upstream.on('timeout', () => upstream.destroy(new Error('The gateway did not answer the handshake.')))
  upstream.on('error', () => {
    if (!socket.destroyed) refuseSocket(socket, 503)
  })
  upstream.end()
}

/**
 * Proxies WebSocket handshakes to the control plane's gateway, within limits. `end` closes all sockets, open ones with
 * 1012.
 */
export const createGatewayProxy = ({ gatewayUrl, onSockets = () => {} }: Target) => {
  const sockets = new Map<Duplex, () => void>()
  const perAddress = new Map<string, number>()
  return {
    /** `request` already has our own headers; `address` is the client's. */
    upgrade: ({
      request,
      socket,
      head,
      address,
    }: Omit<Handshake, 'release' | 'joined'> & { address: string }): void => {
      const key = addressKey(address)
      const count = perAddress.get(key) ?? 0
      if (sockets.size >= LIMITS.all) return refuseSocket(socket, 503)
      if (count >= LIMITS.perAddress) return refuseSocket(socket, 429)
      sockets.set(socket, () => socket.destroy())
      perAddress.set(key, count + 1)
      onSockets(sockets.size)
      let released = false
      const release = () => {
        if (released) return
        released = true
        sockets.delete(socket)
        const left = (perAddress.get(key) ?? 1) - 1
        if (left > 0) perAddress.set(key, left)
        else perAddress.delete(key)
        onSockets(sockets.size)
      }
      passOn(gatewayUrl, { request, socket, head, release, joined: (goodbye) => sockets.set(socket, goodbye) })
    },
    end: () => {
      for (const end of sockets.values()) end()
    },
    count: () => sockets.size,
  }
}

/** Proxies an ordinary request to the control plane's public listener: payment pages and webhooks. */
export const passRequest = (gatewayUrl: string, request: IncomingMessage, response: ServerResponse): void => {
  const upstream = httpRequest(new URL(request.url ?? '/', gatewayUrl), {
    method: request.method ?? 'GET',
    headers: withoutCookies(request),
    timeout: ANSWER_MS,
  })
  upstream.on('response', (answer) => {
    response.statusCode = answer.statusCode ?? 502
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined && !HOP_BY_HOP.has(name)) response.setHeader(name, value)
    }
    answer.pipe(response)
    answer.on('error', () => response.destroy())
  })
  upstream.on('timeout', () => upstream.destroy(new Error('No answer in time.')))
  upstream.on('error', () => {
    if (response.headersSent) return response.destroy()
    response
      .writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': '10' })
      .end('Service unavailable\n')
  })
  response.on('close', () => upstream.destroy())
  request.pipe(upstream)
}
