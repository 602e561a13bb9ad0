import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { trustFrom } from '#platform/client-address.ts'
import { createMetrics } from '../../../src/server/metrics.ts'
import { PUSH_WORKER } from '../../../src/server/push-worker.ts'
import { createSiteListener } from '../../../src/server/site-listener.ts'

let server: Server
const say = () => {}
beforeAll(async () => {
  const site = createSiteListener({
    stripeScriptUrl: 'https://js.stripe.com/dahlia/stripe.js',
    api: () => Promise.reject(new Error('nobody asks the API here')),
    next: async (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<!DOCTYPE html><p>a page</p>')
    },
    isDevelopment: false,
    siteUrl: 'http://127.0.0.1:1',
    isSecure: false,
    gatewayUrl: 'http://127.0.0.1:1',
    trust: trustFrom([]),
    nodeOrigins: { current: () => [], isDown: () => false },
    log: { info: say, warn: say, error: say, debug: say },
    metrics: createMetrics(),
    nowMs: () => 0,
  })
  server = site.server
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const ask = (path: string, method = 'GET') =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { method })

test('the push worker may load and connect to nothing, and is revalidated each time', async () => {
  const answer = await ask('/push-worker.js?a=1')
  expect([answer.status, await answer.text()]).toEqual([200, PUSH_WORKER])
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
  })
  expect(answer.headers.get('service-worker-allowed')).toBeNull()
})

test('the push worker is one file at one read-only address; pages may start it', async () => {
  expect((await ask('/push-worker.js', 'POST')).status).toBe(405)
  const page = await ask('/hu/push-worker.js')
  expect(page.headers.get('content-type')).toBe('text/html')
  expect(page.headers.get('content-security-policy')).toContain("worker-src 'self';")
})
