import type { IncomingMessage } from 'node:http'
import proxyaddr from 'proxy-addr'
import { plainAddress } from './address-key.ts'

/**
 * The peers whose forwarded address is trusted: names and ranges as in TRUSTED_PROXIES (`loopback`, `10.0.0.0/8`, ...).
 */
export type Trust = ReturnType<typeof proxyaddr.compile>

/** Parses TRUSTED_PROXIES; an empty list trusts nobody. Throws for an invalid range. */
export const trustFrom = (proxies: readonly string[]): Trust => proxyaddr.compile([...proxies])

/**
 * The client's address: walking back from the peer, the first hop that is not a trusted proxy. Entries further left in
 * X-Forwarded-For were written by the client and are ignored.
 */
export const clientAddress = (request: IncomingMessage, trust: Trust): string =>
  plainAddress(proxyaddr(request, trust) ?? '')

/** Whether the peer itself is a trusted proxy, whose request id is kept. */
export const isTrustedPeer = (request: IncomingMessage, trust: Trust): boolean =>
  trust(request.socket.remoteAddress ?? '', 0)
