import { OUTBOX_TOPICS, type OutboxPayload, type OutboxTopic } from '#contracts/internal-api/outbox-topics.ts'
import type { Context } from './context.ts'
import type { Sql } from './postgres.ts'

/**
 * Writes a message inside the caller's transaction: the row and the wake-up appear together at commit, or not at all.
 * `delayMs` postpones the delivery.
 */
export async function enqueue<Topic extends OutboxTopic>(
  tx: Sql,
  context: Pick<Context, 'ids' | 'clock'>,
  message: { topic: Topic; payload: OutboxPayload<Topic>; requestId: string; delayMs?: number },
): Promise<void> {
  const payload = OUTBOX_TOPICS[message.topic].parse(message.payload)
  const now = context.clock.now()
  await tx.query(
    `with written as (
       insert into control.outbox (id, topic, payload, request_id, available_at, created_at)
       values ($1, $2, $3, $4, $5, $6) returning id)
     select pg_notify('bakter_outbox', '') from written`,
    [
      context.ids.next(),
      message.topic,
      JSON.stringify(payload),
      message.requestId,
      new Date(now + (message.delayMs ?? 0)),
      new Date(now),
    ],
  )
}
