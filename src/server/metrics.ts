import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'

/** The site's own metrics, in a separate registry. */
export const createMetrics = () => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return {
    registry,
    requests: new Counter({
      name: 'site_requests_total',
      help: 'Answered requests by kind and status.',
      labelNames: ['kind', 'status'],
      registers: [registry],
    }),
    durations: new Histogram({
      name: 'site_request_seconds',
      help: 'Time from a request to the end of its answer.',
      labelNames: ['kind'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers: [registry],
    }),
    pages: new Counter({
      name: 'site_kept_pages_total',
      help: 'Responses from the page memory, and pages that Next rendered for it.',
      labelNames: ['from'],
      registers: [registry],
    }),
    keptPages: new Gauge({
      name: 'site_kept_pages',
      help: 'Pages in the page memory, counting each encoding.',
      registers: [registry],
    }),
    keptBytes: new Gauge({
      name: 'site_kept_page_bytes',
      help: 'Bytes of the page memory, including headers.',
      registers: [registry],
    }),
    sockets: new Gauge({
      name: 'site_gateway_sockets',
      help: 'Sockets passed on to the gateway.',
      registers: [registry],
    }),
  }
}

export type Metrics = ReturnType<typeof createMetrics>
