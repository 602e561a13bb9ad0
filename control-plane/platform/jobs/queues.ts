import { assert } from '#domain/kernel/assert.ts'
import type { EventBus } from '../event-bus.ts'
import type { OutboxMessage } from '../outbox-relay.ts'
import type { TaskQueue } from '../queue.ts'
import { EVENT_TOPICS, isJobName, JOB_CATALOG, type JobEntry } from './job-catalog.ts'

const EVENTS: readonly string[] = EVENT_TOPICS

/** Where messages of the outbox go: events to the bus, everything else to the queue under the message's own id. */
export function createDelivery(targets: { queue: TaskQueue; bus: EventBus }) {
  return async (message: OutboxMessage): Promise<void> => {
    const { id, topic, payload, requestId } = message
    if (EVENTS.includes(topic)) return targets.bus.publish({ topic, data: payload })
    assert(isJobName(topic), `the catalogue has no job ${topic}`)
    const { attempts, backoffMs, canWait = false }: JobEntry = JOB_CATALOG[topic]
    await targets.queue.add({ id, kind: topic, data: { requestId, payload } }, { attempts, backoffMs, canWait })
  }
}
