import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps, type RequestOptions } from 'node:https'
import { isIP, isIPv4, isIPv6 } from 'node:net'
import { portOf, webAddressOf } from '#contracts/panel/web-address.ts'
import { FileFailure } from '../file-failure.ts'
import { nameOfSource } from './pull-name.ts'

const REDIRECTS: readonly (number | undefined)[] = [301, 302, 303, 307, 308]
const MAX_REDIRECTS = 5

/** How a node reaches the web. */
export interface PullNetwork {
  /** All addresses of a host. */
  resolve(hostname: string): Promise<readonly string[]>
  /** Whether a connection may go there. */
  isAllowed(address: string): boolean
  /** From the request to the head of the response, the connection included. */
  readonly headMs: number
  /** Without a byte for this long, the source has failed. */
  readonly stalledMs: number
  /** With fewer bytes in a window of this length, too: it would hold a place of others for hours. */
  readonly slow: { readonly leastBytes: number; readonly windowMs: number }
  /** Certificates to trust instead of the system's, in PEM format. */
  readonly ca?: string
}

/** A file of the web whose head has arrived. */
export interface PullSource {
  readonly body: IncomingMessage
  readonly name: string
  readonly host: string
  /** Null where the source does not say it. */
  readonly bytes: number | null
}

/** The address that the connection goes to. One that is not allowed among a host's addresses condemns the host. */
const addressOf = async ({ hostname }: URL, network: PullNetwork): Promise<string> => {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1')
  const addresses = isIP(literal) === 0 ? await network.resolve(hostname).catch(() => []) : [literal]
  if (!addresses.every((address) => network.isAllowed(address))) throw new FileFailure('ADDRESS_REFUSED')
  // A node without IPv6 is common, one without IPv4 is not.
  const address = addresses.find((each) => isIPv4(each)) ?? addresses[0]
  if (address === undefined) throw new FileFailure('SOURCE_FAILED')
  return address
}

/** Ends a source that sends too little in a window. */
const endSlow = (head: IncomingMessage, { leastBytes, windowMs }: PullNetwork['slow']): void => {
  let before = head.socket.bytesRead
  const looking = setInterval(() => {
    if (head.socket.bytesRead - before < leastBytes) head.destroy(new Error('too slow'))
    before = head.socket.bytesRead
  }, windowMs)
  head.once('close', () => clearInterval(looking))
}

/** The head of one response. The connection goes to the address that was checked: the name is not resolved again. */
const headOf = async (url: URL, network: PullNetwork, signal: AbortSignal): Promise<IncomingMessage> => {
  const address = await addressOf(url, network)
  signal.throwIfAborted()
  const isNamed = isIP(url.hostname.replace(/^\[(.*)\]$/, '$1')) === 0
  const options: RequestOptions = {
    host: address,
    family: isIPv6(address) ? 6 : 4,
    port: portOf(url),
    path: `${url.pathname}${url.search}`,
    // The bytes of the file as they are: nothing here decompresses them.
    headers: { host: url.host, accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Bakter' },
    // A connection of its own: a reused one was opened to an address that was checked earlier.
    agent: false,
    signal,
    ...(isNamed ? { servername: url.hostname.replace(/\.$/, '') } : {}),
    ...(network.ca === undefined ? {} : { ca: network.ca }),
  }
  return new Promise((resolve, reject) => {
    const asked = (url.protocol === 'https:' ? requestHttps : requestHttp)(options)
    const late = setTimeout(() => asked.destroy(new Error('no answer')), network.headMs)
    asked.once('close', () => clearTimeout(late))
    asked.once('response', (head) => {
      clearTimeout(late)
      head.setTimeout(network.stalledMs, () => head.destroy(new Error('stalled')))
      head.on('error', () => {})
      endSlow(head, network.slow)
      resolve(head)
    })
    asked.on('error', () => reject(new FileFailure('SOURCE_FAILED')))
    asked.end()
  })
}

/**
 * Asks for a file of the web, along at most five redirects; each address on the way is checked anew. Throws `FileFailure`:
 * `ADDRESS_REFUSED` before any packet to an address that is not allowed, `SOURCE_FAILED` for every other failure.
 */
export const openSource = async (address: string, network: PullNetwork, signal: AbortSignal): Promise<PullSource> => {
  let url = webAddressOf(address)
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    if (url === undefined) throw new FileFailure('ADDRESS_REFUSED')
    const head = await headOf(url, network, signal)
    const { location, 'content-length': length, 'content-disposition': disposition } = head.headers
    if (head.statusCode === 200) {
      const bytes = length === undefined ? null : Number(length)
      return { body: head, name: nameOfSource(url, disposition), host: url.host, bytes }
    }
    head.destroy()
    if (!REDIRECTS.includes(head.statusCode) || location === undefined) break
    url = webAddressOf(location, url)
  }
  throw new FileFailure('SOURCE_FAILED')
}
