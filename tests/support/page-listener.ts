import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { trustFrom } from '#platform/client-address.ts'
import { createMetrics } from '../../src/server/metrics.ts'
import { createSiteListener, type SiteParts } from '../../src/server/site-listener.ts'

const say = () => {}

/** The site's public listener where every page is this one, with nothing behind it. */
export const listenWithPage = async (
  page: { readonly status: number; readonly html: string },
  parts: Partial<SiteParts> = {},
): Promise<{ readonly server: Server; readonly url: string }> => {
  const { server } = createSiteListener({
    stripeScriptUrl: 'https://js.stripe.com/dahlia/stripe.js',
    api: () => Promise.reject(new Error('nobody asks the API here')),
    next: async (_request, response) => {
      response.writeHead(page.status, { 'content-type': 'text/html' })
      response.end(page.html)
    },
    isDevelopment: false,
    siteUrl: 'http://127.0.0.1:1',
    isSecure: false,
    gatewayUrl: 'http://127.0.0.1:1',
    trust: trustFrom([]),
    isStaff: () => Promise.resolve(true),
    nodeOrigins: { current: () => [], isDown: () => false },
    log: { info: say, warn: say, error: say, debug: say },
    metrics: createMetrics(),
    nowMs: () => 0,
    ...parts,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
