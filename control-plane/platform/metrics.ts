import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** The program's own metrics. One object per process; tests create their own. */
export function createMetrics(options: { processMetrics?: boolean } = {}) {
  const registry = new Registry()
  if (options.processMetrics) collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name: `bakter_${name}`, help, labelNames, registers })
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name: `bakter_${name}`, help, labelNames, registers })
  const buckets = [0.01, 0.05, 0.2, 1, 5, 30]
  return {
    registry,
    outboxDelivered: counter('outbox_delivered_total', 'Delivered messages', 'topic'),
    outboxFailed: counter('outbox_failed_total', 'Failed deliveries', 'topic'),
    outboxWaiting: gauge('outbox_waiting', 'Messages that wait for delivery'),
    outboxOldestSeconds: gauge('outbox_oldest_seconds', 'Age of the oldest waiting message'),
    jobs: counter('jobs_total', 'Finished runs of jobs', 'kind', 'outcome'),
    jobSeconds: new Histogram({
      name: 'bakter_job_seconds',
      help: 'Duration of a run',
      labelNames: ['kind'],
      buckets,
      registers,
    }),
    mails: counter('mails_total', 'What became of tries to send a mail', 'kind', 'outcome'),
    receivedMails: counter('received_mails_total', 'What became of mails to the mailbox', 'outcome'),
    mailAlarms: counter(
      'mail_alarms_total',
      'Mails that were given up, and refusals that the operator must mend',
      'reason',
    ),
    virusScans: counter('virus_scans_total', 'What the scanner said of files of tickets', 'outcome'),
    pushes: counter('pushes_total', 'What became of tries to hand over a push', 'outcome'),
    sockets: gauge('gateway_sockets', 'Open sockets', 'kind'),
    socketsRefused: counter('gateway_refused_total', 'Refused handshakes', 'reason'),
    socketsSlow: counter('gateway_slow_total', 'Sockets closed because the reader was slow'),
    agentEvents: counter('agent_events_total', 'Stored events of agents', 'kind'),
    agentEventsDropped: counter('agent_events_dropped_total', 'Events that agents could not keep during an outage'),
    agentAlarms: counter('agent_alarms_total', 'Alarms about agents', 'kind'),
    orphans: gauge('orphan_servers', 'Servers on nodes that the database does not know'),
    ledgerViolations: gauge('ledger_violations', 'Rows of the whole ledger that break a rule', 'rule'),
    ledgerRecentViolations: gauge(
      'ledger_recent_violations',
      'Rows since the last checkpoints that break a rule',
      'rule',
    ),
    planned: counter('commands_planned_total', 'Commands written by the reconcile loop', 'kind'),
  }
}

export type Metrics = ReturnType<typeof createMetrics>
