import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { Duplex } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { trustFrom } from '#platform/client-address.ts'
import { createMetrics } from '../../../src/server/metrics.ts'
import { createSiteListener } from '../../../src/server/site-listener.ts'
import { waitFor } from '../../support/wait-for.ts'

let site: Server
let port: number
beforeAll(async () => {
  const silent = () => {}
  site = createSiteListener({
    stripeScriptUrl: 'https://js.stripe.com/dahlia/stripe.js',
    api: () => Promise.reject(new Error('nobody asks the API here')),
    next: async (_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end('page')
    },
    isDevelopment: false,
    siteUrl: 'http://localhost:3000',
    isSecure: false,
    gatewayUrl: 'http://127.0.0.1:9',
    trust: trustFrom([]),
    isStaff: () => Promise.resolve(true),
    nodeOrigins: { current: () => [], isDown: () => false },
    log: { info: silent, warn: silent, error: silent, debug: silent },
    metrics: createMetrics(),
    nowMs: () => 0,
  }).server
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  port = (site.address() as AddressInfo).port
})
afterAll(() => {
  site.closeAllConnections()
  site.close()
})

it.each(['/nowhere', '/api/ws/agent', '/api/ws/gateway'])(
  'a client that resets its handshake for %s ends only its connection',
  async (url) => {
    const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done(new Error('read ECONNRESET')) })
    const request = { url, headers: {}, socket: { remoteAddress: '192.0.2.1' }, connection: {} }
    site.emit('upgrade', request as unknown as IncomingMessage, socket, Buffer.alloc(0))
    expect(socket.listenerCount('error')).toBeGreaterThan(0)
    await waitFor('the connection to be gone', () => socket.destroyed)
  },
)

it('a refused handshake whose client keeps its own half open holds no connection [case 135]', async () => {
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  client.on('error', () => {}).resume()
  client.write(['GET /nowhere HTTP/1.1', 'Host: x', 'Upgrade: websocket', 'Connection: Upgrade', '', ''].join('\r\n'))
  await waitFor('the answer', () => client.readableEnded)
  const held = () => new Promise<number>((done) => site.getConnections((_error, count) => done(count)))
  await waitFor('the connection to be gone', async () => (await held()) === 0)
  expect(client.readableEnded).toBe(true)
  client.destroy()
})

it.each(['//', '//evil.test', '///evil.test/a', '/\\evil.test', '/hu?next=//evil.test'])(
  'under another of its names the machine is not redirected to a foreign site: %s',
  async (path) => {
    const headers = { host: '127.0.0.1:3000', 'sec-fetch-mode': 'navigate' }
    const request = httpRequest({ host: '127.0.0.1', port, path, headers, agent: false })
    request.end()
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    answer.resume()
    expect([answer.statusCode, answer.headers.location]).toEqual([307, `http://localhost:3000${path}`])
    expect(new URL(answer.headers.location ?? '').origin).toBe('http://localhost:3000')
  },
)

it.each([
  ['/hu', /^public/],
  ['/hu?_rsc=1', /^public/],
  ['/hu?token=abc', /^private, no-cache$/],
  ['/hu?_rsc=1&utm_source=x', /^private, no-cache$/],
  ['/hu/auth/passwordreset?token=abc', /^private, no-store$/],
  ['/hu/auth/email?undo=abc', /^private, no-store$/],
])('a page requested as %s, which Next writes into it, is cached accordingly', async (path, kept) => {
  const request = httpRequest({ host: '127.0.0.1', port, path, headers: { host: 'localhost:3000' }, agent: false })
  request.end()
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  answer.resume()
  expect(answer.headers['cache-control']).toMatch(kept)
})
