import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { JsonWebKeySet } from '#contracts/http/auth.ts'

export type Readiness = {
  /** Names what a request could not be answered without. */
  readonly missing: () => Promise<string[]>
  /** Names what only parts of pages need. */
  readonly degraded: () => string[]
}

export type PrivateParts = Readiness & {
  readonly keys: () => Promise<JsonWebKeySet>
  readonly metrics: () => Promise<{ type: string; text: string }>
  /** Hands a request to Next, which owns the cache that it clears. */
  readonly revalidate: (request: IncomingMessage, response: ServerResponse) => Promise<void>
}

const json = (response: ServerResponse, status: number, body: unknown) => {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
  response.end(`${JSON.stringify(body)}\n`)
}

const ready = async (response: ServerResponse, parts: PrivateParts) => {
  const missing = await parts.missing()
  json(response, missing.length === 0 ? 200 : 503, { ready: missing.length === 0, missing, degraded: parts.degraded() })
}

const answer = async (request: IncomingMessage, response: ServerResponse, parts: PrivateParts): Promise<void> => {
  const path = (request.url ?? '/').split('?')[0]
  if (request.method === 'POST' && path === '/internal/revalidate') return parts.revalidate(request, response)
  if (request.method !== 'GET') return json(response, 405, { error: 'method' })
  if (path === '/health/live') return json(response, 200, { live: true })
  if (path === '/health/ready') return ready(response, parts)
  if (path === '/jwks') return json(response, 200, await parts.keys())
  if (path === '/metrics') {
    const { type, text } = await parts.metrics()
    response.writeHead(200, { 'Content-Type': type })
    response.end(text)
    return
  }
  json(response, 404, { error: 'not found' })
}

/** The site's private listener: health, metrics, public keys, and the control plane's word that content changed. */
export const createPrivateListener = (parts: PrivateParts): Server =>
  createServer((request, response) => {
    answer(request, response, parts).catch((error: unknown) => {
      if (response.headersSent) return response.destroy()
      json(response, 500, { error: error instanceof Error ? error.message : 'failed' })
    })
  })
