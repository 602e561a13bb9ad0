import { createServer, type Server } from 'node:http'
import { Gauge, Registry, collectDefaultMetrics } from 'prom-client'

export interface HealthSource {
  /** What is missing for the node to do its work, as short names; empty when it is ready. */
  missing(): string[]
  /** Sentences about what is missing, where its name does not say enough. */
  notes(): readonly string[]
  serverStates(): string[]
  sockets(): number
  pendingEvents(): number
  droppedEvents(): number
}

const metricsOf = (source: HealthSource): Registry => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'bakter_agent_' })
  const registers = [registry]
  new Gauge({
    name: 'bakter_agent_servers',
    help: 'Servers on this node by state.',
    labelNames: ['state'],
    registers,
    collect() {
      this.reset()
      for (const state of source.serverStates()) this.inc({ state })
    },
  })
  new Gauge({
    name: 'bakter_agent_panel_sockets',
    help: 'Open per-server sockets.',
    registers,
    collect() {
      this.set(source.sockets())
    },
  })
  new Gauge({
    name: 'bakter_agent_outbox_events',
    help: 'Events that the control plane has not acknowledged.',
    registers,
    collect() {
      this.set(source.pendingEvents())
    },
  })
  new Gauge({
    name: 'bakter_agent_outbox_dropped_events',
    help: 'Events that had to go while the control plane was away, and of which it does not know yet.',
    registers,
    collect() {
      this.set(source.droppedEvents())
    },
  })
  new Gauge({
    name: 'bakter_agent_ready',
    help: '1 when nothing is missing.',
    registers,
    collect() {
      this.set(source.missing().length === 0 ? 1 : 0)
    },
  })
  return registry
}

/** The private listener: is the program alive, is it ready and what does it lack, and its metrics. */
export const createHealthServer = (source: HealthSource): Server => {
  const registry = metricsOf(source)
  return createServer((request, response) => {
    const answer = (status: number, body: string, type = 'application/json'): void => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' })
      response.end(body)
    }
    if (request.url === '/health/live') return answer(200, JSON.stringify({ status: 'live' }))
    if (request.url === '/health/ready') {
      const missing = source.missing()
      const status = missing.length === 0 ? 'ready' : 'waiting'
      const notes = source.notes()
      const body = notes.length === 0 ? { status, missing } : { status, missing, notes }
      return answer(missing.length === 0 ? 200 : 503, JSON.stringify(body))
    }
    if (request.url === '/metrics') {
      void registry.metrics().then((text) => answer(200, text, registry.contentType))
      return undefined
    }
    return answer(404, JSON.stringify({ error: { code: 'NOT_FOUND', message: 'There is nothing here.' } }))
  })
}
