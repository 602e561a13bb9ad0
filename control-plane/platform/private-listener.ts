import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import type { Health } from './health.ts'
import { listen } from './listen.ts'
import type { Metrics } from './metrics.ts'

export type PrivateListenerOptions = {
  readonly port: number
  readonly host: string
  readonly health: Health
  readonly metrics: Metrics
  /** The internal API, where this process serves it. */
  readonly internal: Hono | undefined
}

/** Health, metrics and the internal API on an address that only our own machines reach. Returns the closing function. */
export async function listenPrivately(options: PrivateListenerOptions): Promise<() => Promise<void>> {
  const app = new Hono()
  app.get('/health/live', (request) => request.json({ live: true }))
  app.get('/health/ready', async (request) => {
    const readiness = await options.health.readiness()
    return request.json(readiness, readiness.ready ? 200 : 503)
  })
  app.get('/metrics', async (request) => {
    const text = await options.metrics.registry.metrics()
    return request.body(text, 200, { 'content-type': options.metrics.registry.contentType })
  })
  const { internal } = options
  if (internal) app.all('/internal/*', (request) => internal.fetch(request.req.raw))
  const server = createAdaptorServer({ fetch: app.fetch }) as Server
  return listen(server, options)
}
