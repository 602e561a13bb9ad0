import { request, type RequestOptions } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import type { PushAnswer } from '#domain/notifications/push-outcome.ts'
import { PushAddressRefused, type OutgoingPush, type PushService } from './push-service.ts'

const TIMEOUT_MS = 15_000
/** Only the response's head is read; the connection to a service that keeps sending is closed. */
const MAX_ANSWER_BYTES = 16_384

export type HttpsPushDeps = {
  /** The addresses of a host. */
  readonly resolve: (hostname: string) => Promise<readonly string[]>
  readonly isAllowed: (address: string) => boolean
  readonly now: () => number
  readonly port?: number
  /** The time-out of a push service, in milliseconds. */
  readonly timeoutMs?: () => number
  /** Certificates to trust instead of the system's, in PEM format. */
  readonly ca?: string
}

/** Seconds, or a date (RFC 9110 section 10.2.3); undefined for anything else. */
const retryAfterOf = (header: string | undefined, nowMs: number): number | undefined => {
  if (header === undefined) return undefined
  if (/^\d{1,7}$/.test(header)) return Number(header) * 1_000
  const atMs = Date.parse(header)
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
}

const drain = (answer: IncomingMessage) => {
  let bytes = 0
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength
    if (bytes > MAX_ANSWER_BYTES) answer.destroy()
  })
  answer.on('error', () => {})
}

/**
 * Sends pushes to push services on the internet. Browsers choose the address, so it may name any host: each time, every
 * address of the host must be public, and the connection goes to a checked address. Redirects are not followed.
 */
export function httpsPushService(deps: HttpsPushDeps): PushService {
  const ask = (options: RequestOptions, body: Uint8Array): Promise<PushAnswer> =>
    new Promise((resolve) => {
      const silent = () => resolve({ kind: 'unreachable' })
      const asked = request(options, (answer) => {
        drain(answer)
        const retryAfterMs = retryAfterOf(answer.headers['retry-after'], deps.now())
        resolve({ kind: 'answered', status: answer.statusCode ?? 0, retryAfterMs })
      })
      asked.on('error', silent)
      // After a freeze of this process the response may have arrived unread, because timers fire before reads.
      const hangUp = () => setImmediate(() => asked.destroy(new Error('no answer')))
      const timer = setTimeout(hangUp, deps.timeoutMs?.() ?? TIMEOUT_MS)
      asked.on('close', () => clearTimeout(timer))
      asked.end(body)
    })
  return {
    deliver: async ({ endpoint, headers, body }: OutgoingPush) => {
      const { hostname, pathname, search } = new URL(endpoint)
      const addresses = await deps.resolve(hostname).catch((): string[] => [])
      const [address] = addresses
      if (address === undefined) return { kind: 'unreachable' }
      if (!addresses.every(deps.isAllowed)) throw new PushAddressRefused(`${hostname} is not on the public internet`)
      const options: RequestOptions = {
        method: 'POST',
        host: address,
        family: isIPv6(address) ? 6 : 4,
        port: deps.port ?? 443,
        path: `${pathname}${search}`,
        servername: hostname,
        headers: { ...headers, Host: hostname },
        // A separate connection: a reused one was opened to an address checked earlier.
        agent: false,
        ...(deps.ca === undefined ? {} : { ca: deps.ca }),
      }
      return ask(options, body)
    },
  }
}
