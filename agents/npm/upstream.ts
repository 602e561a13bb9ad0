import http from 'node:http'
import https from 'node:https'
import fs from 'node:fs'
import tls from 'node:tls'
import { AgentError } from '../platform/agent-error.ts'

export interface UpstreamAnswer {
  readonly status: number
  readonly etag: string | undefined
  readonly body: NodeJS.ReadableStream
}
/** Requests from the registry. Rejects with PACKAGE_REFUSED when it is unreachable. */
export type Upstream = (url: string, headers: Record<string, string>) => Promise<UpstreamAnswer>

const SILENT_MS = 30_000
const MAX_REDIRECTS = 3

/** Fetches over HTTP; `caBundle` is trusted besides the usual authorities. */
export const httpUpstream = (caBundle: string | undefined): Upstream => {
  const ca = caBundle === undefined ? undefined : [...tls.rootCertificates, fs.readFileSync(caBundle, 'utf8')]
  const ask = (url: string, headers: Record<string, string>, redirects: number): Promise<UpstreamAnswer> =>
    new Promise((resolve, reject) => {
      const fail = (error: Error): void =>
        reject(
          new AgentError('PACKAGE_REFUSED', `The registry cannot be reached: ${error.message}`, { retryable: true }),
        )
      const take = (response: http.IncomingMessage): void => {
        const { statusCode: status = 0, headers: answered } = response
        const { location, etag } = answered
        if (status >= 300 && status < 400 && status !== 304 && location !== undefined && redirects > 0) {
          response.resume()
          ask(new URL(location, url).href, headers, redirects - 1).then(resolve, reject)
          return
        }
        resolve({ status, etag, body: response })
      }
      const options = { headers, timeout: SILENT_MS }
      const request = url.startsWith('https:')
        ? https.get(url, { ...options, ...(ca === undefined ? {} : { ca }) }, take)
        : http.get(url, options, take)
      request.on('error', fail)
      request.on('timeout', () => request.destroy(new Error('it is silent')))
    })
  return (url, headers) => ask(url, headers, MAX_REDIRECTS)
}
