/**
 * How a client proves itself in the handshake of a WebSocket, before the connection is upgraded: a token or ticket in
 * `Authorization: Bearer`, or as a subprotocol, because a browser can set no other header of a handshake. A query would
 * end up in the logs of proxies.
 */
export const SOCKET_PROTOCOL = 'bakter'
const TOKEN_PROTOCOL = 'bakter.token.'

/** The subprotocols that a page offers. The plain name comes first: an older server picks the first one and echoes it. */
export const protocolsWith = (token: string): string[] => [SOCKET_PROTOCOL, `${TOKEN_PROTOCOL}${token}`]

const offersOf = (header: string | undefined): string[] => (header ?? '').split(',').map((offer) => offer.trim())

type HandshakeHeaders = {
  readonly authorization?: string | undefined
  readonly 'sec-websocket-protocol'?: string | undefined
}

/** The token or ticket of a handshake; unchecked. */
export const proofOf = (headers: HandshakeHeaders): string | undefined => {
  const bearer = /^Bearer ([\w.-]+)$/i.exec(headers.authorization ?? '')?.[1]
  const offer = offersOf(headers['sec-websocket-protocol']).find((each) => each.startsWith(TOKEN_PROTOCOL))
  const proof = bearer ?? offer?.slice(TOKEN_PROTOCOL.length)
  return proof === '' ? undefined : proof
}

/** The subprotocol that the server echoes: never the one that holds a token. */
export const chosenProtocol = (offers: ReadonlySet<string>): string | false =>
  offers.has(SOCKET_PROTOCOL)
    ? SOCKET_PROTOCOL
    : ([...offers].find((offer) => !offer.startsWith(TOKEN_PROTOCOL)) ?? false)

/** The origins of the native wrapper's own pages (Capacitor on iOS and Android). */
export const NATIVE_ORIGINS: readonly string[] = ['capacitor://localhost', 'https://localhost']

/**
 * `page`: a page of the site. `must prove`: the native wrapper, or a script, which has no origin; both are admitted with
 * proof in the handshake. `foreign`: a page of somebody else in a visitor's browser. Origins are compared as a whole.
 */
export type OriginKind = 'page' | 'must prove' | 'foreign'
/** The kind of client that a handshake's `Origin` stands for. */
export const originKind = (origin: string | undefined, siteOrigins: ReadonlySet<string>): OriginKind => {
  if (origin !== undefined && siteOrigins.has(origin)) return 'page'
  return origin === undefined || NATIVE_ORIGINS.includes(origin) ? 'must prove' : 'foreign'
}
