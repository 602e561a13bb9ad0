import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { JsonWebKeySet } from '#contracts/http/auth.ts'
import { healthAnswer } from '#platform/health-answer.ts'

export type Readiness = {
  /** Names the missing parts without which no request can be answered. */
  readonly missing: () => Promise<string[]>
  /** Names missing parts that only some pages need. */
  readonly degraded: () => string[]
}

export type InternalAnswer = { readonly status: number; readonly body: unknown }

export type PrivateParts = Readiness & {
  readonly keys: () => Promise<JsonWebKeySet>
  readonly metrics: () => Promise<{ type: string; text: string }>
  /** Passes a request to Next, which owns the cache to be cleared. */
  readonly revalidate: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  /** Answers a call of the control plane; undefined for a path without one. */
  readonly internal: (request: IncomingMessage, path: string) => Promise<InternalAnswer | undefined>
}

const json = (response: ServerResponse, status: number, body: unknown) => {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
  response.end(`${JSON.stringify(body)}\n`)
}

const readyOf = async (parts: PrivateParts) => {
  const missing = await parts.missing()
  const isReady = missing.length === 0
  return { isReady, facts: { ready: isReady, missing, degraded: parts.degraded() } }
}

const answer = async (request: IncomingMessage, response: ServerResponse, parts: PrivateParts): Promise<void> => {
  const path = (request.url ?? '/').replace(/\?.*$/s, '')
  if (request.method === 'POST' && path === '/internal/revalidate') return parts.revalidate(request, response)
  if (request.method === 'POST') {
    const given = await parts.internal(request, path)
    return given === undefined ? json(response, 404, { error: 'not found' }) : json(response, given.status, given.body)
  }
  if (request.method !== 'GET') return json(response, 405, { error: 'method' })
  if (path === '/jwks') return json(response, 200, await parts.keys())
  const found = await healthAnswer(path, { ready: () => readyOf(parts), metrics: parts.metrics })
  if (found === undefined) return json(response, 404, { error: 'not found' })
  response.writeHead(found.status, { 'Content-Type': found.type, 'Cache-Control': 'no-store' })
  response.end(found.body)
}

/** The site's private listener: health, metrics, public keys, and notifications of changed content. */
export const createPrivateListener = (parts: PrivateParts): Server =>
  createServer((request, response) => {
    answer(request, response, parts).catch((error: unknown) => {
      if (response.headersSent) return response.destroy()
      json(response, 500, { error: error instanceof Error ? error.message : 'failed' })
    })
  })
