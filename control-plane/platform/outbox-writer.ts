import { OUTBOX_TOPICS, type OutboxPayload, type OutboxTopic } from './outbox-topics.ts'
import type { Context } from './context.ts'
import type { Sql } from './postgres.ts'

type Writing = Pick<Context, 'ids' | 'clock'>

/**
 * Writes a message inside the caller's transaction: the row and the wake-up appear together at commit, or not at all.
 * `delayMs` postpones the delivery.
 */
export const enqueue = <Topic extends OutboxTopic>(
  tx: Sql,
  context: Writing,
  message: { topic: Topic; payload: OutboxPayload<Topic>; requestId: string; delayMs?: number },
): Promise<void> => {
  const { topic, payload, requestId, delayMs = 0 } = message
  return enqueueAll(tx, context, { topic, tasks: [{ payload, requestId }], delayMs })
}

/** Writes any number of messages of one topic, as `enqueue` writes one, with one statement. */
export function enqueueAll<Topic extends OutboxTopic>(
  tx: Sql,
  context: Writing,
  messages: {
    topic: Topic
    tasks: readonly { payload: OutboxPayload<Topic>; requestId: string }[]
    delayMs?: number
  },
): Promise<void> {
  const { topic, tasks, delayMs = 0 } = messages
  const each = tasks.map((task) => ({ topic, ...task }) as NewMessage)
  return enqueueEach(tx, context, { messages: each, delayMs })
}

/** A message before it is written. */
export type NewMessage = {
  [Topic in OutboxTopic]: { topic: Topic; payload: OutboxPayload<Topic>; requestId: string }
}[OutboxTopic]

/** Writes messages of any topics, in their order, with one statement. */
export async function enqueueEach(
  tx: Sql,
  context: Writing,
  { messages, delayMs = 0 }: { messages: readonly NewMessage[]; delayMs?: number },
): Promise<void> {
  if (messages.length === 0) return
  const rows = messages.map(({ topic, payload, requestId }) => ({
    ...{ id: context.ids.next(), topic, request_id: requestId },
    payload: OUTBOX_TOPICS[topic].parse(payload),
  }))
  const now = context.clock.now()
  await tx.query(
    `with written as (
       insert into control.outbox (id, topic, payload, request_id, available_at, created_at)
       select task.id, task.topic, task.payload, task.request_id, $2, $3
       from jsonb_to_recordset($1::jsonb) as task (id uuid, topic text, payload jsonb, request_id text) returning id)
     select pg_notify('bakter_outbox', '') from written`,
    [JSON.stringify(rows), new Date(now + delayMs), new Date(now)],
  )
}
