import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** The program's own figures. One object for one process; tests make their own. */
export function createMetrics(options: { processMetrics?: boolean } = {}) {
  const registry = new Registry()
  if (options.processMetrics) collectDefaultMetrics({ register: registry })
  const registers = [registry]
  return {
    registry,
    outboxDelivered: new Counter({
      name: 'bakter_outbox_delivered_total',
      help: 'Delivered messages',
      labelNames: ['topic'],
      registers,
    }),
    outboxFailed: new Counter({
      name: 'bakter_outbox_failed_total',
      help: 'Failed deliveries',
      labelNames: ['topic'],
      registers,
    }),
    outboxWaiting: new Gauge({ name: 'bakter_outbox_waiting', help: 'Messages that wait for delivery', registers }),
    outboxOldestSeconds: new Gauge({
      name: 'bakter_outbox_oldest_seconds',
      help: 'Age of the oldest waiting message',
      registers,
    }),
    jobs: new Counter({
      name: 'bakter_jobs_total',
      help: 'Finished runs of jobs',
      labelNames: ['kind', 'outcome'],
      registers,
    }),
    jobSeconds: new Histogram({
      name: 'bakter_job_seconds',
      help: 'Duration of a run',
      labelNames: ['kind'],
      buckets: [0.01, 0.05, 0.2, 1, 5, 30],
      registers,
    }),
    sockets: new Gauge({ name: 'bakter_gateway_sockets', help: 'Open sockets', labelNames: ['kind'], registers }),
    socketsRefused: new Counter({
      name: 'bakter_gateway_refused_total',
      help: 'Refused handshakes',
      labelNames: ['reason'],
      registers,
    }),
    socketsSlow: new Counter({
      name: 'bakter_gateway_slow_total',
      help: 'Sockets closed because the reader was slow',
      registers,
    }),
    agentEvents: new Counter({
      name: 'bakter_agent_events_total',
      help: 'Stored events of agents',
      labelNames: ['kind'],
      registers,
    }),
    agentAlarms: new Counter({
      name: 'bakter_agent_alarms_total',
      help: 'Alarms about agents',
      labelNames: ['kind'],
      registers,
    }),
    orphans: new Gauge({
      name: 'bakter_orphan_servers',
      help: 'Servers on nodes that the database does not know',
      registers,
    }),
    planned: new Counter({
      name: 'bakter_commands_planned_total',
      help: 'Commands written by the reconcile loop',
      labelNames: ['kind'],
      registers,
    }),
  }
}

export type Metrics = ReturnType<typeof createMetrics>
