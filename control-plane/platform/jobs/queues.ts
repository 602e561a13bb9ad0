import { EVENT_TOPICS, OUTBOX_TOPICS, type EventTopic } from '../outbox-topics.ts'
import { assert } from '#domain/kernel/assert.ts'
import type { BusEvent, EventBus } from '../event-bus.ts'
import type { DeliverTogether, OutboxMessage } from '../outbox-relay.ts'
import type { TaskQueue } from '../queue.ts'
import { isJobName, JOB_CATALOG, type JobEntry, type JobName } from './job-catalog.ts'

const EVENTS: readonly string[] = EVENT_TOPICS
/** Events whose last one counts. */
const STATES: readonly string[] = ['server.state.change', 'balance.change']
const RESYNC = { event: 'resync', data: {} } as const

/**
 * The event of a message. One whose first delivery failed may arrive after newer ones, so its readers are told to read the state
 * again instead of being told an old one.
 */
const eventOf = (message: OutboxMessage): BusEvent => {
  const { topic, payload, isLate } = message
  if (topic !== 'browser-event' || !isLate || !STATES.includes(payload.message.event)) return { topic, data: payload }
  return { topic, data: { ...payload, message: RESYNC } }
}

/** Routes outbox messages: events to the bus, everything else to the queue under the message's own id. */
export function createDelivery(targets: { queue: TaskQueue; bus: EventBus }) {
  return async (message: OutboxMessage): Promise<void> => {
    const { id, topic, payload, requestId } = message
    if (EVENTS.includes(topic)) return targets.bus.publish(eventOf(message))
    assert(isJobName(topic), `the catalogue has no job ${topic}`)
    const { attempts, backoffMs, canWait = false }: JobEntry = JOB_CATALOG[topic]
    await targets.queue.add({ id, kind: topic, data: { requestId, payload } }, { attempts, backoffMs, canWait })
  }
}

type JobTopic = Exclude<OutboxMessage['topic'], EventTopic>
const JOB_TOPICS = Object.keys(JOB_CATALOG).filter((name) => name in OUTBOX_TOPICS) as JobTopic[]

/**
 * The same for all messages of a topic at once: one statement for the bus, and one for the queue. Topics in `atOnce`
 * are handled here, because they are a few rows and a task would cost more; on failure their messages become tasks.
 */
export function createDeliveryTogether(
  { queue, bus }: { queue: TaskQueue; bus: EventBus },
  atOnce: DeliverTogether = {},
): DeliverTogether {
  const publish = (messages: readonly OutboxMessage[]) => bus.publish(...messages.map(eventOf))
  const add = (kind: JobName) => (messages: readonly OutboxMessage[]) => {
    const { attempts, backoffMs, canWait = false }: JobEntry = JOB_CATALOG[kind]
    const tasks = messages.map(({ id, payload, requestId }) => ({ id, kind, data: { requestId, payload } }))
    return queue.addAll(tasks, { attempts, backoffMs, canWait })
  }
  return {
    ...Object.fromEntries(EVENT_TOPICS.map((topic) => [topic, publish])),
    ...Object.fromEntries(JOB_TOPICS.map((topic) => [topic, add(topic)])),
    ...atOnce,
  }
}
