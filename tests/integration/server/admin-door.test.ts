import { Agent, request as httpRequest } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { listenWithPage } from '../../support/page-listener.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void
const shown: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<p>shown</p>')
}
let next: Handler
let seen: { url: string | undefined; headers: IncomingMessage['headers'] }
let server: Server
let origin: string

beforeAll(async () => {
  const listening = await listenWithPage(
    { status: 200, html: '' },
    {
      isStaff: ({ headers }) => Promise.resolve(headers.cookie?.includes('=staff') === true),
      next: (request, response) => {
        seen = { url: request.url, headers: { ...request.headers } }
        next(request, response)
        return Promise.resolve()
      },
    },
  )
  server = listening.server
  origin = listening.url
})
beforeEach(() => {
  next = shown
  seen = { url: undefined, headers: {} }
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${origin}${path}`, { method, headers, redirect: 'manual' })
const STAFF = { cookie: 'bakter_access=staff' }

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
  '%s on a page of the admin reaches Next from staff alone: the attack S4',
  async (method) => {
    for (const path of ['/admin', '/admin/collections/users?limit=10']) {
      for (const headers of [{}, { cookie: 'bakter_access=customer' }]) {
        const answer = await ask(path, headers, method)
        expect([answer.status, await answer.text(), seen.url]).toEqual([403, 'Only staff may do this.', undefined])
      }
      expect((await ask(path, STAFF, method)).status).toBe(200)
      expect(seen.url).toBe(path)
      seen = { url: undefined, headers: {} }
    }
  },
)

test('a visitor who reads a page of the admin is redirected to the sign-in', async () => {
  expect((await ask('/admin')).status).toBe(307)
})

test('scripts of the admin carry a nonce that Next gets with the request, and no client chooses it', async () => {
  const chosen = {
    'content-security-policy': "script-src 'nonce-chosen'",
    'content-security-policy-report-only': "script-src 'nonce-chosen'",
  }
  const nonces: string[] = []
  for (let round = 0; round < 2; round += 1) {
    const policy = (await ask('/admin', { ...STAFF, ...chosen })).headers.get('content-security-policy') ?? ''
    const [, nonce = ''] = /script-src 'self' 'nonce-([^']+)';/.exec(policy) ?? []
    expect(seen.headers['content-security-policy']).toBe(`script-src 'nonce-${nonce}'`)
    expect(seen.headers['content-security-policy-report-only']).toBeUndefined()
    nonces.push(nonce)
  }
  expect([...new Set(nonces)]).toHaveLength(2)
  expect(nonces).not.toContain('chosen')
  await ask('/en', chosen)
  expect([seen.url, seen.headers['content-security-policy']]).toEqual(['/en', undefined])
})

test('a request whose body is refused half-way leaves its connection usable', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const send = (body: Buffer) =>
    new Promise<number>((resolve, reject) => {
      const sent = httpRequest(`${origin}/api/cms/media`, { agent, method: 'POST' }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0))
      })
      sent.on('error', reject).end(body)
    })
  next = (incoming, response) => {
    // As a web stream does whose reader has stopped.
    incoming.once('data', () => {
      incoming.on('data', () => incoming.pause()).pause()
      response.writeHead(413).end()
    })
  }
  for (let round = 0; round < 3; round += 1) expect(await send(Buffer.alloc(5_000_000))).toBe(413)
})
