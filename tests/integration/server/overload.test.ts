import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { OVERLOAD } from '#contracts/overload.ts'
import { trustFrom } from '#platform/client-address.ts'
import { Overloaded } from '#platform/overloaded.ts'
import { createMetrics } from '../../../src/server/metrics.ts'
import { createSiteListener } from '../../../src/server/site-listener.ts'
import { waitFor } from '../../support/wait-for.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>
const CROWD = '127.0.9.1'
const OTHER = '127.0.9.2'
const done: Answer = async (_request, response) => void response.end('done')

const openSite = async (answer: Answer = done, nextUpgrade?: (request: IncomingMessage, socket: Duplex) => void) => {
  const { server } = createSiteListener({
    stripeScriptUrl: 'https://js.stripe.com/dahlia/stripe.js',
    next: answer,
    api: answer,
    isDevelopment: false,
    siteUrl: 'https://bakter.test',
    isSecure: true,
    gatewayUrl: 'http://127.0.0.1:1',
    trust: trustFrom([]),
    isStaff: () => Promise.resolve(true),
    nodeOrigins: { current: () => [], isDown: () => false },
    log: { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} },
    metrics: createMetrics(),
    nowMs: () => 0,
    ...(nextUpgrade === undefined ? {} : { nextUpgrade }),
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const ask = async (path: string, { from = OTHER, headers = {}, method = 'GET' } = {}) => {
    const sent = httpRequest({ host: '127.0.0.1', port, path, method, localAddress: from, headers, agent: false }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    let text = ''
    for await (const chunk of response.setEncoding('utf8')) text += String(chunk)
    return { status: response.statusCode, headers: response.headers, text }
  }
  return { port, ask }
}

/** Connections from one address that send `text` and then nothing. */
const hold = async (port: number, count: number, text: string): Promise<Socket[]> => {
  const sockets = Array.from({ length: count }, () => connect({ host: '127.0.0.1', port, localAddress: CROWD }))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  for (const socket of sockets) socket.on('error', () => {}).write(text)
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  return sockets
}

const HALF_BODY = 'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{'

test('an address whose connections are all taken by half bodies is told to wait, and others are served', async () => {
  const { port, ask } = await openSite(async (request, response) => {
    if (request.method === 'GET') response.end('done')
  })
  await hold(port, OVERLOAD.site.connections.perAddress, HALF_BODY)
  const refused = await ask('/hu', { from: CROWD })
  expect(refused.status).toBe(503)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(refused.text).toContain('Próbáld újra néhány másodperc múlva')
  const called = await ask('/api/services', { from: CROWD, headers: { 'accept-language': 'de' } })
  expect(JSON.parse(called.text)).toMatchObject({
    error: { code: 'BUSY', message: expect.stringContaining('Sekunden') },
  })
  expect(await ask('/hu')).toMatchObject({ status: 200, text: 'done' })
})

test('work that is refused for overload is answered with 503 and a time, not as a failure', async () => {
  const { ask } = await openSite(async () => {
    throw new Overloaded('no connection of the database is free')
  })
  const refused = await ask('/api/services')
  expect(refused.status).toBe(503)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
})

test('a client that resets its connection during a handshake ends nothing but that', async () => {
  const streams: Duplex[] = []
  const { port, ask } = await openSite(done, (_request, socket) => void streams.push(socket))
  const [client] = await hold(
    port,
    1,
    'GET /_next/hmr HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  )
  const stream = await waitFor('the handshake', () => streams[0])
  client?.resetAndDestroy()
  await waitFor('the connection to be gone', () => stream.closed)
  expect(await ask('/hu')).toMatchObject({ status: 200 })
})
