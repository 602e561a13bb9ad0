import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { trustFrom } from '#platform/client-address.ts'
import { createMetrics } from '../../../src/server/metrics.ts'
import { createSiteListener } from '../../../src/server/site-listener.ts'

const silent = () => undefined

/** A site whose one page never changes, and whose nodes are in the test's hand. */
const openSite = async (nodes: () => readonly string[]) => {
  const { server } = createSiteListener({
    stripeScriptUrl: 'https://js.stripe.com/dahlia/stripe.js',
    api: () => Promise.reject(new Error('nobody asks the API here')),
    next: async (request, response) => {
      if (request.headers['if-none-match'] === '"one"') {
        response.writeHead(304, { etag: '"one"' }).end()
        return
      }
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', etag: '"one"' })
      response.end('<!DOCTYPE html><script>boot()</script>')
    },
    isDevelopment: false,
    siteUrl: 'https://bakter.test',
    isSecure: true,
    gatewayUrl: 'http://127.0.0.1:1',
    trust: trustFrom([]),
    isStaff: () => Promise.resolve(true),
    nodeOrigins: { current: nodes, isDown: () => false },
    log: { info: silent, warn: silent, error: silent, debug: silent },
    metrics: createMetrics(),
    nowMs: () => 0,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hu/blog`
  return async (stored?: string) => {
    const answer = await fetch(url, { headers: stored === undefined ? {} : { 'if-none-match': stored } })
    await answer.arrayBuffer()
    const policy = answer.headers.get('content-security-policy')
    return { status: answer.status, etag: answer.headers.get('etag') ?? '', policy }
  }
}

test('a stored page is confirmed while the nodes are those of its policy, and then sent again with the new one', async () => {
  let nodes = ['wss://node.test:8080']
  const ask = await openSite(() => nodes)
  const first = await ask()
  expect(first).toMatchObject({
    status: 200,
    policy: expect.stringContaining("connect-src 'self' wss://node.test:8080;"),
  })
  expect(await ask(first.etag)).toMatchObject({ status: 304, etag: first.etag, policy: null })
  nodes = ['wss://node.test:8080', 'wss://new.test:8080']
  const changed = await ask(first.etag)
  expect(changed.status).toBe(200)
  expect(changed.policy).toContain("connect-src 'self' wss://node.test:8080 wss://new.test:8080;")
  expect(changed.etag).not.toBe(first.etag)
  expect((await ask(changed.etag)).status).toBe(304)
})

test('a tag that carries no policy confirms nothing', async () => {
  const ask = await openSite(() => [])
  expect(await ask('"one"')).toMatchObject({ status: 200, policy: expect.stringContaining('connect-src') })
})
