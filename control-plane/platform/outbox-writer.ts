import { OUTBOX_TOPICS, type OutboxPayload, type OutboxTopic } from './outbox-topics.ts'
import type { Context } from './context.ts'
import type { Sql } from '#platform/postgres/database.ts'

type Writing = Pick<Context, 'ids' | 'clock'>

/** A message as a row, for writers with their own statement. */
export type OutboxRow = {
  readonly id: string
  readonly topic: OutboxTopic
  readonly payload: unknown
  readonly request_id: string
}

/** Builds the row of a message and checks its payload. */
export const outboxRow = <Topic extends OutboxTopic>(
  { ids }: Pick<Context, 'ids'>,
  message: { topic: Topic; payload: OutboxPayload<Topic>; requestId: string },
): OutboxRow => ({
  id: ids.next(),
  topic: message.topic,
  payload: OUTBOX_TOPICS[message.topic].parse(message.payload),
  request_id: message.requestId,
})

/**
 * Writes a message inside the caller's transaction: the row and the notification appear together at commit, or not at
 * all. `delayMs` postpones the delivery.
 */
export const enqueue = <Topic extends OutboxTopic>(
  tx: Sql,
  context: Writing,
  message: { topic: Topic; payload: OutboxPayload<Topic>; requestId: string; delayMs?: number },
): Promise<void> => {
  const { topic, payload, requestId, delayMs = 0 } = message
  return enqueueAll(tx, context, { topic, tasks: [{ payload, requestId }], delayMs })
}

/** Writes any number of messages of one topic, in one statement. */
export async function enqueueAll<Topic extends OutboxTopic>(
  tx: Sql,
  context: Writing,
  messages: {
    topic: Topic
    tasks: readonly { payload: OutboxPayload<Topic>; requestId: string }[]
    delayMs?: number
  },
): Promise<void> {
  const { topic, tasks, delayMs = 0 } = messages
  const rows = tasks.map((task) => outboxRow(context, { topic, ...task }))
  await enqueueRows(tx, context, { rows, delayMs })
}

/** Writes rows of any topics, in their order, in one statement. */
export async function enqueueRows(
  tx: Sql,
  { clock }: Pick<Context, 'clock'>,
  { rows, delayMs = 0 }: { rows: readonly OutboxRow[]; delayMs?: number },
): Promise<void> {
  if (rows.length === 0) return
  const now = clock.now()
  await tx.query(
    `with written as (
       insert into control.outbox (id, topic, payload, request_id, available_at, created_at)
       select task.id, task.topic, task.payload, task.request_id, $2, $3
       from jsonb_to_recordset($1::jsonb) as task (id uuid, topic text, payload jsonb, request_id text) returning id)
     select pg_notify('bakter_outbox', '') from written`,
    [JSON.stringify(rows), new Date(now + delayMs), new Date(now)],
  )
}
