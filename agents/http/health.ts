import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Gauge, Registry, collectDefaultMetrics } from 'prom-client'
import { healthAnswer } from '#platform/health-answer.ts'

export interface HealthSource {
  /** Short names of the missing parts; empty when the node is ready. */
  missing(): string[]
  /** Sentences about missing parts whose names are not enough. */
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

const readyOf = (source: HealthSource) => {
  const missing = source.missing()
  const isReady = missing.length === 0
  const notes = source.notes()
  const facts = { status: isReady ? 'ready' : 'waiting', missing, ...(notes.length === 0 ? {} : { notes }) }
  return { isReady, facts }
}

/** The private listener: liveness, readiness with the missing parts, and metrics. */
export const createHealthServer = (source: HealthSource): Server => {
  const registry = metricsOf(source)
  const parts = {
    ready: () => Promise.resolve(readyOf(source)),
    metrics: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const found = await healthAnswer(request.url ?? '/', parts)
    const type = found?.type ?? 'application/json'
    response.writeHead(found?.status ?? 404, { 'content-type': type, 'cache-control': 'no-store' })
    response.end(found?.body ?? JSON.stringify({ error: { code: 'NOT_FOUND', message: 'There is nothing here.' } }))
  }
  return createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
}
