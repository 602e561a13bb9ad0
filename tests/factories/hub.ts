import { afterAll, afterEach, beforeAll } from 'vitest'
import { AgentHub, type HubDeps } from '../../control-plane/servers/nodes/agent-hub.ts'
import { openPostgresBus, type EventBus } from '../../control-plane/platform/event-bus.ts'
import { createMetrics, type Metrics } from '../../control-plane/platform/metrics.ts'
import { startOutboxRelay } from '../../control-plane/platform/outbox-relay.ts'
import type { Context } from '../../control-plane/platform/context.ts'
import { reconcileServer } from '../../control-plane/servers/provisioning/apply-plan.ts'
import { reconcileAll } from '../../control-plane/servers/provisioning/reconcile-loop.ts'
import type { OutboxMessage } from '../../control-plane/platform/outbox-relay.ts'
import { observing } from './observing.ts'
import { platformDatabase, testContext, type PlatformDatabase } from './platform-database.ts'
import { addNode } from './fleet.ts'
import { FakeAgent } from '../support/fake-agent.ts'

export type TestHub = {
  hub: AgentHub
  bus: EventBus
  metrics: Metrics
  context: Context
  /** Tasks that the outbox added to the queue. */
  tasks: OutboxMessage[]
  accept: AgentHub['accept']
  close(): Promise<void>
}

/** One process of the control plane as agents see it: hub, bus and relay on a real database. */
export async function openHub(
  database: PlatformDatabase,
  options: { context?: Partial<Context>; hub?: Partial<HubDeps>; relay?: boolean } = {},
): Promise<TestHub> {
  const context = testContext(database.db, options.context)
  const bus = await openPostgresBus(context)
  const metrics = createMetrics()
  const provisioning = { ...context, metrics }
  const tasks: OutboxMessage[] = []
  const relay =
    options.relay === false
      ? undefined
      : await startOutboxRelay({
          ...testContext(database.db),
          metrics,
          deliver: async (message) => {
            if (message.topic === 'browser-event' || message.topic === 'commands-waiting') {
              await bus.publish({ topic: message.topic, data: message.payload })
            } else tasks.push(message)
          },
        })
  const hub = new AgentHub({
    ...observing(provisioning),
    bus,
    holder: 'test',
    siteOrigins: ['http://site.test'],
    siteLogins: {
      login: () => Promise.reject(new Error('no site')),
      check: () => Promise.reject(new Error('no site')),
    },
    reconcile: (serverId, requestId) => reconcileServer(serverId, requestId, provisioning),
    reconcileNode: (nodeId) => reconcileAll(provisioning, nodeId),
    ...options.hub,
  })
  return {
    hub,
    bus,
    metrics,
    context,
    tasks,
    accept: (socket) => hub.accept(socket),
    close: async () => {
      await hub.close()
      await relay?.close()
      await bus.close()
    },
  }
}

type OpenOptions = Parameters<typeof openHub>[1]

/** A database and any number of hubs on it for the tests of one file; after each test the hubs are closed and its `stops` are called. */
export function hubsOfFile() {
  let database: PlatformDatabase
  let hubs: TestHub[] = []
  let stops: (() => void)[] = []
  beforeAll(async () => {
    database = await platformDatabase(40)
  })
  afterEach(async () => {
    for (const stop of stops) stop()
    await Promise.all(hubs.map((hub) => hub.close()))
    hubs = []
    stops = []
    await database.owner.query('delete from control.outbox')
  })
  afterAll(() => database.close())
  return {
    database: () => database,
    open: async (options?: OpenOptions): Promise<TestHub> => {
      const hub = await openHub(database, options)
      hubs.push(hub)
      return hub
    },
    newAgent: async () => new FakeAgent(await addNode(database.owner)),
    onEnd: (stop: () => void) => void stops.push(stop),
  }
}
