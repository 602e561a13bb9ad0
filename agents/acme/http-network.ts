import fs from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import tls from 'node:tls'
import { AgentError } from '../platform/agent-error.ts'
import type { AcmeAnswer, AcmeNetwork, AcmeRequest } from './network.ts'

const SILENT_MS = 30_000
const MAX_BODY_BYTES = 512 * 1024
/** Authorities require a user agent (RFC 8555 section 6.1). */
const USER_AGENT = 'bakter-agent'

const headersOf = (response: http.IncomingMessage): AcmeAnswer['headers'] =>
  Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )

const readBody = (response: http.IncomingMessage, take: (body: string) => void): void => {
  const parts: Buffer[] = []
  let bytes = 0
  response.on('data', (part: Buffer) => {
    bytes += part.length
    if (bytes > MAX_BODY_BYTES) response.destroy(new Error('its answer is too long'))
    else parts.push(part)
  })
  response.once('end', () => take(Buffer.concat(parts).toString('utf8')))
}

const ask = (asked: AcmeRequest, ca: readonly string[] | undefined): Promise<AcmeAnswer> =>
  new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      const sentence = `The authority at ${new URL(asked.url).host} cannot be reached: ${error.message}.`
      reject(new AgentError('DIRECTORY_UNREACHABLE', sentence, { retryable: true }))
    }
    const take = (response: http.IncomingMessage): void => {
      response.once('error', fail)
      readBody(response, (body) => resolve({ status: response.statusCode ?? 0, headers: headersOf(response), body }))
    }
    const { method, body = '' } = asked
    const headers = { ...asked.headers, 'user-agent': USER_AGENT, 'content-length': String(Buffer.byteLength(body)) }
    // Without a connection pool: a few requests in two months need no open connection.
    const options = { method, headers, agent: false, timeout: SILENT_MS } as const
    const request = asked.url.startsWith('https:')
      ? https.request(asked.url, { ...options, ...(ca === undefined ? {} : { ca: [...ca] }) }, take)
      : http.request(asked.url, options, take)
    request.once('error', fail)
    request.once('timeout', () => request.destroy(new Error('it is silent')))
    request.end(body)
  })

/** Sends HTTP requests; `caBundle` is trusted besides the usual authorities. Throws when that file cannot be read. */
export const httpAcmeNetwork = (caBundle: string | undefined): AcmeNetwork => {
  const ca = caBundle === undefined ? undefined : [...tls.rootCertificates, fs.readFileSync(caBundle, 'utf8')]
  return (request) => ask(request, ca)
}
