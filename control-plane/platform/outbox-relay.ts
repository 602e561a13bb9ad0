import { EVENT_TOPICS, OUTBOX_TOPICS, type OutboxPayload, type OutboxTopic } from './outbox-topics.ts'
import { relayBackoffMs, startRelay, type Relay } from '#platform/postgres/relay.ts'
import type { Context } from './context.ts'
import type { Metrics } from './metrics.ts'

const CHANNEL = 'bakter_outbox'
const BATCH = 100
/** A lost NOTIFY delays a message by this much. */
const POLL_MS = 1_000
/** The pause between two runs of a busy relay, so that messages of many transactions are delivered together. */
const GATHER_MS = 50
/** How often the queue length is measured. */
const MEASURE_MS = 1_000

export type OutboxMessage = {
  [Topic in OutboxTopic]: {
    id: string
    topic: Topic
    payload: OutboxPayload<Topic>
    requestId: string
    /** An earlier delivery failed, so newer messages may have been delivered before it. */
    isLate: boolean
  }
}[OutboxTopic]

type Row = { id: string; topic: string; payload: unknown; request_id: string; attempts: number }

export type RelayDeps = Pick<Context, 'db' | 'clock' | 'faults' | 'log'> & {
  metrics: Metrics
  /** Hands a message to the queue or the bus. May be repeated with the same id after a crash. */
  deliver: (message: OutboxMessage) => Promise<void>
  /**
   * Topics whose due messages are delivered with one call. On failure each is delivered alone, so a message may arrive
   * twice.
   */
  deliverTogether?: DeliverTogether
}

export type DeliverTogether = {
  readonly [Topic in OutboxTopic]?: (messages: readonly Extract<OutboxMessage, { topic: Topic }>[]) => Promise<void>
}

function messageOf(row: Row): OutboxMessage {
  const schema = OUTBOX_TOPICS[row.topic as OutboxTopic]
  if (!schema) throw new Error(`unknown topic ${row.topic}`)
  const base = { id: row.id, topic: row.topic, requestId: row.request_id, isLate: row.attempts > 0 }
  return { ...base, payload: schema.parse(row.payload) } as OutboxMessage
}

/** Returns whether the message was delivered. */
async function deliverRow(row: Row, { deliver, faults, log, metrics }: RelayDeps): Promise<boolean> {
  const { id: outboxId, topic, request_id: requestId } = row
  try {
    await deliver(messageOf(row))
  } catch (error) {
    metrics.outboxFailed.inc({ topic })
    log.warn({ topic, outboxId, requestId, reason: String(error) }, 'not delivered')
    return false
  }
  await faults('outbox.after-deliver')
  return true
}

/** Returns whether all messages of a topic were delivered with one call. */
async function deliverTopic(topic: string, rows: readonly Row[], deps: RelayDeps): Promise<boolean> {
  const together = deps.deliverTogether?.[topic as OutboxTopic] as
    ((messages: readonly OutboxMessage[]) => Promise<void>) | undefined
  if (!together) return false
  try {
    await together(rows.map(messageOf))
  } catch (error) {
    deps.log.warn({ topic, messages: rows.length, reason: String(error) }, 'not delivered together')
    return false
  }
  for (const _row of rows) await deps.faults('outbox.after-deliver')
  return true
}

/**
 * Messages of one topic keep their order; topics do not wait for one another, so that one commit of the queue can serve
 * several. Returns the delivered ones, once none is in flight.
 */
async function deliverAll(rows: readonly Row[], deps: RelayDeps): Promise<Row[]> {
  const arrived: Row[] = []
  const lane = async (topic: string) => {
    const own = rows.filter((row) => row.topic === topic)
    if (await deliverTopic(topic, own, deps)) arrived.push(...own)
    else for (const row of own) if (await deliverRow(row, deps)) arrived.push(row)
  }
  const lanes = await Promise.allSettled([...new Set(rows.map(({ topic }) => topic))].map(lane))
  for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason
  return arrived
}

/**
 * Delivers due messages, once. Rows locked by another process are skipped. Events are delivered by one process at a time: two
 * batches side by side would let a newer event overtake an older one. A frozen process loses the lock with its
 * transaction, which PostgreSQL ends when it stays idle. Returns the number of rows handled.
 */
export function drainOutbox(deps: RelayDeps): Promise<number> {
  return deps.db.transaction(async (tx) => {
    const rows = await tx.query<Row>(
      `select id, topic, payload, request_id, attempts from control.outbox
       where available_at <= $1
         and (topic <> all ($2) or (select pg_try_advisory_xact_lock(hashtextextended('outbox events', 727))))
       order by created_at, id limit ${BATCH} for update skip locked`,
      [new Date(deps.clock.now()), EVENT_TOPICS],
    )
    if (rows.length === 0) return 0
    const arrived = new Set(await deliverAll(rows, deps))
    await tx.query('delete from control.outbox where id = any ($1)', [[...arrived].map(({ id }) => id)])
    for (const { topic } of arrived) deps.metrics.outboxDelivered.inc({ topic })
    for (const row of rows.filter((each) => !arrived.has(each))) {
      const next = new Date(deps.clock.now() + relayBackoffMs(row.attempts))
      await tx.query('update control.outbox set attempts = attempts + 1, available_at = $2 where id = $1', [
        row.id,
        next,
      ])
    }
    return rows.length
  })
}

async function measure({ db, clock, metrics }: RelayDeps): Promise<void> {
  const [row] = await db.query<{ waiting: bigint; oldest: Date | null }>(
    'select count(*) as waiting, min(available_at) as oldest from control.outbox where available_at <= $1',
    [new Date(clock.now())],
  )
  metrics.outboxWaiting.set(Number(row?.waiting ?? 0))
  metrics.outboxOldestSeconds.set(row?.oldest ? (clock.now() - row.oldest.getTime()) / 1_000 : 0)
}

/** Drains the outbox when a transaction notifies it, and every second. Resolves once it listens. */
export async function startOutboxRelay(deps: RelayDeps): Promise<Relay> {
  let measuredMs = Number.NEGATIVE_INFINITY
  const relay = startRelay({
    db: deps.db,
    channel: CHANNEL,
    pollMs: POLL_MS,
    gatherMs: GATHER_MS,
    drain: async () => {
      const isFull = (await drainOutbox(deps)) === BATCH
      const nowMs = deps.clock.now()
      if (isFull || Math.abs(nowMs - measuredMs) < MEASURE_MS) return isFull
      measuredMs = nowMs
      await measure(deps)
      return false
    },
    onFailure: (error) => deps.log.error({ reason: String(error) }, 'the outbox could not be drained'),
  })
  await relay.ready.catch(async (error: unknown) => {
    await relay.close()
    throw error
  })
  return relay
}
