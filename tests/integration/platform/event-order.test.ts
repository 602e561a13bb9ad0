import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { openPostgresBus, type BusEvent, type EventBus } from '../../../control-plane/platform/event-bus.ts'
import { createDelivery, createDeliveryTogether } from '../../../control-plane/platform/jobs/queues.ts'
import { createMetrics } from '../../../control-plane/platform/metrics.ts'
import { drainOutbox, type RelayDeps } from '../../../control-plane/platform/outbox-relay.ts'
import { enqueue } from '../../../control-plane/platform/outbox-writer.ts'
import type { TaskQueue } from '../../../control-plane/platform/queue.ts'
import type { RoutedEvent } from '#contracts/gateway/events.ts'
import { platformDatabase, testContext, type PlatformDatabase } from '../../factories/platform-database.ts'
import { waitFor } from '../../support/wait-for.ts'
import { ManualClock } from '../../setup/manual-clock.ts'

let database: PlatformDatabase
let bus: EventBus
let heard: string[]
let clock: ManualClock
/** Each message of the relay under the hands of the test. */
let publish: EventBus['publish']

const sid = '0190a000-0000-7000-8000-000000000001'
const reader = '0190a000-0000-7000-8000-000000000002'
const context = () => ({ ...testContext(database.db), clock })
const wordOf = ({ topic, data }: BusEvent): string => {
  if (topic !== 'browser-event') return topic
  const { message } = data as RoutedEvent
  return message.event === 'server.state.change' ? message.data.state : message.event
}

beforeAll(async () => {
  database = await platformDatabase()
})
beforeEach(async () => {
  clock = new ManualClock(Date.now())
  bus = await openPostgresBus(context())
  heard = []
  bus.onEvent((event) => void heard.push(wordOf(event)))
  publish = bus.publish
})
afterEach(async () => {
  await bus.close()
  await database.db.query('delete from control.outbox')
})
afterAll(() => database.close())

type Message = RoutedEvent['message']
const write = (message: Message) =>
  database.db.transaction(async (tx) => {
    clock.advance(1)
    await enqueue(tx, context(), {
      topic: 'browser-event',
      payload: { userIds: [reader], message },
      requestId: '',
    })
  })
const tell = (state: 'stopping' | 'offline' | 'running') =>
  write({ event: 'server.state.change', data: { sid, state } })
const tasks: string[] = []
/** A control plane: each has relay and bus of its own. */
const plane = (): RelayDeps => {
  const added = (...kinds: string[]) => {
    tasks.push(...kinds)
    return Promise.resolve()
  }
  const queue = {
    add: ({ kind }: { kind: string }) => added(kind),
    addAll: (all: readonly { kind: string }[]) => added(...all.map(({ kind }) => kind)),
  } as unknown as TaskQueue
  const own = { ...bus, publish: (...events: BusEvent[]) => publish(...events) }
  return {
    ...context(),
    metrics: createMetrics(),
    deliver: createDelivery({ queue, bus: own }),
    deliverTogether: createDeliveryTogether({ queue, bus: own }),
  }
}

it('a newer event waits while another control plane delivers an older one, and tasks do not', async () => {
  let goOn = () => {}
  const held = new Promise<void>((done) => (goOn = done))
  let isHeld = false
  publish = async (...events) => {
    isHeld = true
    await held
    await bus.publish(...events)
  }
  await tell('stopping')
  const first = drainOutbox(plane())
  await waitFor('the first control plane to deliver', () => isHeld)
  publish = bus.publish
  await tell('offline')
  await database.db.transaction((tx) =>
    enqueue(tx, context(), { topic: 'provision-server', payload: { serverId: sid }, requestId: '' }),
  )
  expect(await drainOutbox(plane())).toBe(1)
  expect([heard, tasks]).toEqual([[], ['provision-server']])
  goOn()
  expect(await first).toBe(1)
  expect(await drainOutbox(plane())).toBe(1)
  await waitFor('both events', () => heard.length === 2)
  expect(heard).toEqual(['stopping', 'offline'])
})

it('an old state that could not be delivered in time is not told: its readers read the present one', async () => {
  publish = () => Promise.reject(new Error('the bus is away'))
  await tell('stopping')
  await write({ event: 'logout', data: {} })
  await drainOutbox(plane())
  publish = bus.publish
  await tell('offline')
  await drainOutbox(plane())
  clock.advance(60_000)
  await drainOutbox(plane())
  await waitFor('all events', () => heard.length === 3)
  // A sign-out is no state: it counts whenever it comes.
  expect(heard).toEqual(['offline', 'resync', 'logout'])
})
