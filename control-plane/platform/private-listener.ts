import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import type { Health } from '#platform/health.ts'
import { healthAnswer } from '#platform/health-answer.ts'
import type { Metrics } from './metrics.ts'
import { openListener } from './open-listener.ts'

export type PrivateListenerOptions = {
  readonly port: number
  readonly host: string
  readonly health: Health
  readonly metrics: Metrics
  /** The internal API, if this process serves it. */
  readonly internal: Hono | undefined
}

const readyOf = async ({ health }: PrivateListenerOptions) => {
  const readiness = await health.readiness()
  return { isReady: readiness.ready, facts: readiness }
}

const metricsOf = async ({ metrics: { registry } }: PrivateListenerOptions) => ({
  type: registry.contentType,
  text: await registry.metrics(),
})

/** Health, metrics and the internal API on an address that only our own machines reach. Returns the stop function. */
export async function listenPrivately(options: PrivateListenerOptions): Promise<() => Promise<void>> {
  const app = new Hono()
  const { internal } = options
  if (internal) app.all('/internal/*', (request) => internal.fetch(request.req.raw))
  app.get('*', async (request) => {
    const found = await healthAnswer(request.req.path, {
      ready: () => readyOf(options),
      metrics: () => metricsOf(options),
    })
    return found
      ? request.body(found.body, found.status === 200 ? 200 : 503, { 'content-type': found.type })
      : request.notFound()
  })
  const server = createAdaptorServer({ fetch: app.fetch }) as Server
  return openListener(server, options)
}
