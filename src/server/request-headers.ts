import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { clientAddress, isTrustedPeer } from '#platform/client-address.ts'
import type { Trust } from '#platform/client-address.ts'
import { SERVER_HEADERS } from '../lib/requests/request-context.ts'

const REQUEST_ID = /^[\w.-]{8,64}$/

const DROPPED = [
  'forwarded',
  'x-forwarded-port',
  'x-forwarded-server',
  'x-real-ip',
  'x-middleware-subrequest',
  'x-nextjs-data',
  // Next takes the nonce of its scripts from the request's policy.
  'content-security-policy',
  'content-security-policy-report-only',
]

export type Identified = { readonly address: string; readonly requestId: string }

// Node generates random bytes for many UUIDs at once, which is cheaper than a call for each request.
const newRequestId = (): string => randomUUID().replaceAll('-', '').slice(0, 24)

let place: { readonly url: string; readonly host: string; readonly protocol: string } | undefined

/** Host and scheme of the site's address, parsed once. */
const placeOf = (url: string) => {
  if (place?.url === url) return place
  const { host, protocol } = new URL(url)
  return (place = { url, host, protocol: protocol.slice(0, -1) })
}

/**
 * Rewrites a request's headers to the site's own facts: address by the trusted proxies, host and scheme by SITE_URL.
 * Code behind this cannot be misled by a forged Host or X-Forwarded header.
 */
export const ownHeaders = (
  request: IncomingMessage,
  { trust, siteUrl }: { trust: Trust; siteUrl: string },
): Identified => {
  const { headers } = request
  const address = clientAddress(request, trust)
  const given = headers[SERVER_HEADERS.requestId]
  const isUsable = typeof given === 'string' && REQUEST_ID.test(given) && isTrustedPeer(request, trust)
  const requestId = isUsable ? given : newRequestId()
  const { host, protocol } = placeOf(siteUrl)
  for (const name of DROPPED) if (headers[name] !== undefined) delete headers[name]
  headers[SERVER_HEADERS.address] = address
  headers[SERVER_HEADERS.requestId] = requestId
  headers['host'] = host
  headers['x-forwarded-host'] = host
  headers['x-forwarded-proto'] = protocol
  headers['x-forwarded-for'] = address
  return { address, requestId }
}

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/**
 * This machine under another of its names: browsers are redirected to the one name that cookies and forms are bound to.
 */
export const isLoopbackAlias = (host: string | undefined, siteUrl: string): boolean => {
  const canonical = placeOf(siteUrl).host
  const port = (name: string) => /:(\d+)$/.exec(name)?.[1]
  return (
    host !== undefined &&
    host !== canonical &&
    [host, canonical].every((name) => LOOPBACK.test(name)) &&
    port(host) === port(canonical)
  )
}
