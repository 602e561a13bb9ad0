import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { trustFrom } from '#platform/client-address.ts'
import { createMetrics } from '../../../src/server/metrics.ts'
import { createSiteListener } from '../../../src/server/site-listener.ts'

const READS = 200
const READ_MS = 2

const busyFor = (ms: number) => {
  const untilMs = performance.now() + ms
  while (performance.now() < untilMs);
}

/** A site whose pages keep its thread busy, and which notes how many were read when a sign-in arrives. */
const openSite = async () => {
  const counts = { read: 0, readBefore: READS, readMs: 0 }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'POST') counts.readBefore = counts.read
    else {
      busyFor(counts.readMs)
      counts.read += 1
    }
    response.setHeader('content-type', 'text/plain')
    response.end('done')
  }
  const log = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} }
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
    log,
    metrics: createMetrics(),
    nowMs: () => 0,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const agent = new Agent({ keepAlive: true, maxFreeSockets: READS + 1 })
  onTestFinished(() => {
    agent.destroy()
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const send = async (method: string, path: string) => {
    const sent = httpRequest({ port, path, method, agent }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    await once(response, 'end')
    return response.statusCode
  }
  return { counts, send }
}

test('A crowd of visitors does not hold up a sign-in that arrives behind it', async () => {
  const { counts, send } = await openSite()
  const readAll = () => Array.from({ length: READS }, () => send('GET', '/hu'))
  // All are connected now: the test measures the order of the requests, not of the connections.
  await Promise.all([...readAll(), send('POST', '/api/auth/login')])
  Object.assign(counts, { read: 0, readBefore: READS, readMs: READ_MS })
  const reads = readAll()
  expect(await send('POST', '/api/auth/login')).toBe(200)
  expect(new Set(await Promise.all(reads))).toEqual(new Set([200]))
  expect(counts.read).toBe(READS)
  expect(counts.readBefore).toBeLessThan(READS / 2)
})
