import type { IncomingMessage } from 'node:http'
import proxyaddr from 'proxy-addr'
import { plainAddress } from './address-key.ts'

/** Which peers' forwarded address counts: names and ranges as in TRUSTED_PROXIES (`loopback`, `10.0.0.0/8`, ...). */
export type Trust = ReturnType<typeof proxyaddr.compile>

/** Parses TRUSTED_PROXIES; an empty list trusts nobody. Throws for a range that is none. */
export const trustFrom = (proxies: readonly string[]): Trust => proxyaddr.compile([...proxies])

/**
 * The client's address: walking back from the peer, the first hop that is no trusted proxy. What stands further left in
 * X-Forwarded-For was written by the client and changes nothing.
 */
export const clientAddress = (request: IncomingMessage, trust: Trust): string =>
  plainAddress(proxyaddr(request, trust) ?? '')

/** Whether the peer itself is a trusted proxy, so that its request id is worth keeping. */
export const isTrustedPeer = (request: IncomingMessage, trust: Trust): boolean =>
  trust(request.socket.remoteAddress ?? '', 0)
