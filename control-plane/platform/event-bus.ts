import { EventEmitter } from 'node:events'
import * as z from 'zod'
import type { Context } from './context.ts'
import type { Logger } from '#platform/logger.ts'
import { closeRedis, openRedis } from './redis.ts'
import { readJsonText } from '#platform/json-text.ts'

const CHANNEL = 'bakter_events'
/** PostgreSQL limits a NOTIFY payload to 8,000 bytes; a larger event is sent as the id of a row. */
const MAX_NOTIFY_BYTES = 7_900
const ROW_LIFE_MS = 10 * 60_000

export type BusEvent = { readonly topic: string; readonly data: unknown }

/** Fan-out to every process, at most once. `gap` means that events may be missing and state must be read again. */
export interface EventBus {
  /** Keeps the order of events. Identical ones in one call may be merged. */
  publish(...events: readonly BusEvent[]): Promise<void>
  /** Returns the unsubscribe function. */
  onEvent(listener: (event: BusEvent) => void): () => void
  onGap(listener: () => void): () => void
  close(): Promise<void>
}

const Envelope = z.union([z.object({ topic: z.string(), data: z.unknown() }), z.object({ row: z.string() })])

function subscriptions() {
  const emitter = new EventEmitter()
  emitter.setMaxListeners(0)
  const subscribe = (kind: string) => (listener: (event: BusEvent) => void) => {
    emitter.on(kind, listener)
    return () => void emitter.off(kind, listener)
  }
  return {
    onEvent: subscribe('event'),
    onGap: subscribe('gap') as EventBus['onGap'],
    event: (event: BusEvent) => void emitter.emit('event', event),
    gap: () => void emitter.emit('gap'),
  }
}

/** LISTEN and NOTIFY of PostgreSQL. Uses control.bus_events for events too large for a notification. */
export async function openPostgresBus({
  db,
  clock,
  ids,
  log,
}: Pick<Context, 'db' | 'clock' | 'ids' | 'log'>): Promise<EventBus> {
  const subscribers = subscriptions()
  // Large events are read one after another, so that a small event never overtakes the large one before it.
  let chain: Promise<unknown> | undefined
  const readRow = async (id: string) => {
    const [row] = await db.query<{ body: BusEvent }>('select body from control.bus_events where id = $1', [id])
    if (row) subscribers.event(row.body)
    else subscribers.gap()
  }
  const inOrder = (work: () => Promise<void> | void) => {
    const next = (chain ?? Promise.resolve()).then(work).catch((error: Error) => {
      log.warn({ reason: error.message }, 'an event could not be read')
      subscribers.gap()
    })
    chain = next
    void next.then(() => {
      if (chain === next) chain = undefined
    })
  }
  const receive = (text: string) => {
    const parsed = Envelope.safeParse(readJsonText(text))
    if (!parsed.success) return log.warn({}, 'an event of an unknown form')
    const message = parsed.data
    if ('row' in message) inOrder(() => readRow(message.row))
    else if (chain) inOrder(() => subscribers.event(message))
    else subscribers.event(message)
  }
  const listener = db.listen(CHANNEL, { onMessage: receive, onGap: subscribers.gap })
  await listener.ready.catch(async (error: unknown) => {
    await listener.close()
    throw error
  })
  const notify = (texts: readonly string[]) =>
    db.query('select pg_notify($1, text) from unnest($2::text[]) with ordinality as event (text, at) order by at', [
      CHANNEL,
      texts,
    ])
  const keep = async (text: string) => {
    const now = clock.now()
    await db.query('delete from control.bus_events where created_at < $1', [new Date(now - ROW_LIFE_MS)])
    await db.query(
      `with written as (insert into control.bus_events (id, body, created_at) values ($1, $2, $3) returning id)
       select pg_notify($4, json_build_object('row', id)::text) from written`,
      [ids.next(), text, new Date(now), CHANNEL],
    )
  }
  return {
    publish: async (...events) => {
      let small: string[] = []
      for (const { topic, data } of events) {
        const text = JSON.stringify({ topic, data })
        if (Buffer.byteLength(text) <= MAX_NOTIFY_BYTES) {
          small.push(text)
          continue
        }
        if (small.length > 0) await notify(small)
        small = []
        await keep(text)
      }
      if (small.length > 0) await notify(small)
    },
    onEvent: subscribers.onEvent,
    onGap: subscribers.onGap,
    close: () => listener.close(),
  }
}

/** Redis publish and subscribe. */
export async function openRedisBus(url: string, log: Logger): Promise<EventBus> {
  const subscribers = subscriptions()
  const publisher = openRedis(url, 'bus:publish', log)
  const subscriber = openRedis(url, 'bus:subscribe', log)
  let wasReady = false
  subscriber.on('message', (_channel: string, text: string) => {
    const parsed = Envelope.safeParse(readJsonText(text))
    if (parsed.success && 'topic' in parsed.data) subscribers.event(parsed.data)
    else log.warn({}, 'an event of an unknown form')
  })
  subscriber.on('ready', () => {
    // ioredis resubscribes before it is ready; events published in between are lost.
    if (wasReady) subscribers.gap()
    wasReady = true
  })
  await subscriber.subscribe(CHANNEL)
  return {
    publish: async (...events) => {
      // ioredis sends them in this order, without waiting for one another.
      await Promise.all(events.map(({ topic, data }) => publisher.publish(CHANNEL, JSON.stringify({ topic, data }))))
    },
    onEvent: subscribers.onEvent,
    onGap: subscribers.onGap,
    close: async () => {
      closeRedis(subscriber)
      closeRedis(publisher)
    },
  }
}
