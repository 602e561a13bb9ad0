import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createDelivery, createDeliveryTogether } from '../../../control-plane/platform/jobs/queues.ts'
import { createMetrics } from '../../../control-plane/platform/metrics.ts'
import { drainOutbox, startOutboxRelay, type OutboxMessage } from '../../../control-plane/platform/outbox-relay.ts'
import { enqueue } from '../../../control-plane/platform/outbox-writer.ts'
import { openQueue } from '../../../control-plane/platform/queue.ts'
import { openPostgresBus, type BusEvent } from '../../../control-plane/platform/event-bus.ts'
import { silentLog } from '#platform/logger.ts'
import { platformDatabase, testContext, type PlatformDatabase } from '../../factories/platform-database.ts'
import { startOwnProcess } from '../../support/own-process.ts'
import { programArguments } from '../../support/test-program.ts'
import { waitFor } from '../../support/wait-for.ts'
import { ManualClock } from '../../setup/manual-clock.ts'

let database: PlatformDatabase
beforeAll(async () => {
  database = await platformDatabase()
})
afterEach(() => database.db.query('delete from control.outbox'))
afterAll(() => database.close())

const context = () => testContext(database.db)
const write = (serverId = context().ids.next()) =>
  database.db.transaction((tx) =>
    enqueue(tx, context(), {
      topic: 'provision-server',
      payload: { serverId, orderId: context().ids.next() },
      requestId: 'req',
    }),
  )
const waiting = async () => (await database.db.query('select id from control.outbox')).length
const deps = (deliver: (message: OutboxMessage) => Promise<void>) => ({
  ...context(),
  metrics: createMetrics(),
  deliver,
})

it('the relay delivers the rows of a committed transaction, and none of a rolled back one', async () => {
  const seen: OutboxMessage[] = []
  const relay = await startOutboxRelay(deps(async (message) => void seen.push(message)))
  await write()
  await expect(
    database.db.transaction(async (tx) => {
      await enqueue(tx, context(), {
        topic: 'payment-check',
        payload: { paymentId: context().ids.next() },
        requestId: '',
      })
      throw new Error('undo')
    }),
  ).rejects.toThrow('undo')
  await write()
  await waitFor('both messages', async () => seen.length === 2 && (await waiting()) === 0)
  expect(seen.map((message) => [message.topic, message.requestId])).toEqual([
    ['provision-server', 'req'],
    ['provision-server', 'req'],
  ])
  await relay.close()
})

it('two relays deliver each message once', async () => {
  const seen: string[] = []
  for (let i = 0; i < 250; i += 1) await write()
  await Promise.all(
    [1, 2].map(async () => {
      while ((await drainOutbox(deps(async (message) => void seen.push(message.id)))) > 0);
    }),
  )
  expect(seen.length).toBe(250)
  expect(new Set(seen).size).toBe(250)
})

it('a failed delivery is retried after a back-off', async () => {
  const clock = new ManualClock(Date.now())
  const seen: string[] = []
  let broken = true
  await write()
  const relay = {
    ...deps(async (message) => {
      if (broken) throw new Error('queue is away')
      seen.push(message.id)
    }),
    clock,
  }
  clock.advance(1_000)
  await drainOutbox(relay)
  broken = false
  expect(await drainOutbox(relay)).toBe(0)
  clock.advance(999)
  expect(await drainOutbox(relay)).toBe(0)
  clock.advance(1)
  expect(await drainOutbox(relay)).toBe(1)
  expect(seen).toHaveLength(1)
})

it('a message of an unknown topic waits without blocking the others', async () => {
  const seen: string[] = []
  await database.db.query(
    `insert into control.outbox (id, topic, payload, available_at, created_at) values ($1, 'no-such-topic', '{}', '2020-01-01', '2020-01-01')`,
    [context().ids.next()],
  )
  await write()
  await drainOutbox(deps(async (message) => void seen.push(message.topic)))
  expect(seen).toEqual(['provision-server'])
  expect(await waiting()).toBe(1)
})

it('messages of one topic keep their order, and no topic waits for another', async () => {
  const seen: string[] = []
  let goOn = () => {}
  const held = new Promise<void>((done) => (goOn = done))
  const check = () => ({ topic: 'payment-check' as const, payload: { paymentId: context().ids.next() } })
  for (const requestId of ['first', 'second', 'third']) {
    await write()
    await database.db.transaction((tx) => enqueue(tx, context(), { ...check(), requestId }))
  }
  const drained = drainOutbox(
    deps(async ({ topic, requestId }) => {
      if (topic === 'provision-server') await held
      seen.push(topic === 'payment-check' ? requestId : topic)
    }),
  )
  await waitFor('the other topic', () => seen.length === 3)
  goOn()
  expect(await drained).toBe(6)
  expect(seen).toEqual(['first', 'second', 'third', 'provision-server', 'provision-server', 'provision-server'])
  expect(await waiting()).toBe(0)
})

it('delivered messages are removed even if others of their batch failed or a crash follows', async () => {
  const one = { paymentId: context().ids.next() }
  await write()
  await database.db.transaction((tx) =>
    enqueue(tx, context(), { topic: 'payment-check', payload: one, requestId: 'r' }),
  )
  let open = 0
  const deliver = async ({ topic }: OutboxMessage) => {
    open += 1
    await new Promise((done) => setTimeout(done, topic === 'provision-server' ? 200 : 20))
    open -= 1
    if (topic === 'provision-server') throw new Error('queue is away')
  }
  await drainOutbox(deps(deliver))
  expect(await database.db.query('select topic, attempts from control.outbox')).toEqual([
    { topic: 'provision-server', attempts: 1 },
  ])
  await database.db.query(`update control.outbox set available_at = '2020-01-01'`)
  await database.db.transaction((tx) =>
    enqueue(tx, context(), { topic: 'payment-check', payload: one, requestId: 'r' }),
  )
  const faults = () => Promise.reject(new Error('crash'))
  await expect(drainOutbox({ ...deps(deliver), faults })).rejects.toThrow('crash')
  expect([open, await waiting()]).toEqual([0, 2])
})

it('a relay killed between delivery and deletion delivers again, and the queue runs the task once', async () => {
  const name = `crash-${context().ids.next()}`
  await write()
  const run = async (fault: string) =>
    startOwnProcess({
      command: process.execPath,
      args: await programArguments('tests/fixtures/relay.ts', name),
      env: { DATABASE_URL: database.url, FAULT: fault },
    })
  const first = await run('outbox.after-deliver:1:kill')
  expect((await first.ended).signal).toBe('SIGKILL')
  expect(await waiting()).toBe(1)
  const second = await run('')
  await waitFor('an empty outbox', async () => (await waiting()) === 0)
  await second.stop()
  const queue = openQueue(name, { databaseUrl: database.url, log: silentLog })
  expect(await queue.counts()).toMatchObject({ waiting: 1 })
  await queue.close()
})

it('messages of a batchable topic are delivered with one call, and singly if that fails', async () => {
  const calls: string[][] = []
  const alone: string[] = []
  let isBroken = false
  const relay = {
    ...deps(async ({ requestId }) => void alone.push(requestId)),
    deliverTogether: {
      'payment-check': async (messages: readonly OutboxMessage[]) => {
        calls.push(messages.map(({ requestId }) => requestId))
        if (isBroken) throw new Error('not all of them')
      },
    },
  }
  const check = (requestId: string) =>
    database.db.transaction((tx) =>
      enqueue(tx, context(), {
        topic: 'payment-check' as const,
        payload: { paymentId: context().ids.next() },
        requestId,
      }),
    )
  for (const requestId of ['first', 'second']) await check(requestId)
  await write()
  expect(await drainOutbox(relay)).toBe(3)
  isBroken = true
  await check('third')
  expect(await drainOutbox(relay)).toBe(1)
  expect([calls, alone, await waiting()]).toEqual([[['first', 'second'], ['third']], ['req', 'third'], 0])
})

it('rows written while the relay is busy are delivered soon, with few queries', async () => {
  const looks: number[] = []
  const beganMs = performance.now()
  const relay = await startOutboxRelay({
    ...deps(async () => {}),
    deliverTogether: { 'provision-server': async (messages) => void looks.push(messages.length) },
  })
  for (let count = 0; count < 40; count += 1) await write()
  await waitFor('an empty outbox', async () => (await waiting()) === 0)
  await relay.close()
  expect(looks.reduce((sum, count) => sum + count, 0)).toBe(40)
  // One at the start, one at the first word, and then each a pause of 50 ms after the one before, however long the writes take.
  expect(looks.length).toBeLessThanOrEqual(3 + (performance.now() - beganMs) / 45)
})

it('work done immediately creates no task, and creates tasks if it fails', async () => {
  const name = `at-once-${context().ids.next()}`
  const queue = openQueue(name, { databaseUrl: database.url, log: silentLog })
  const bus = await openPostgresBus(context())
  let isBroken = false
  const done: string[] = []
  const relay = {
    ...deps(createDelivery({ queue, bus })),
    deliverTogether: createDeliveryTogether(
      { queue, bus },
      {
        'notice-tell': async (messages) => {
          if (isBroken) throw new Error('not now')
          done.push(...messages.map(({ payload }) => payload.notificationId))
        },
      },
    ),
  }
  const tell = async () => {
    const payload = { notificationId: context().ids.next() }
    await database.db.transaction((tx) => enqueue(tx, context(), { topic: 'notice-tell', payload, requestId: 'req' }))
    await drainOutbox(relay)
    return payload.notificationId
  }
  const first = await tell()
  expect([done, (await queue.counts())['prioritized']]).toEqual([[first], 0])
  isBroken = true
  await tell()
  expect([done.length, (await queue.counts())['prioritized'], await waiting()]).toEqual([1, 1, 0])
  await queue.close()
  await bus.close()
})

it('browser events go to the bus, tasks to the queue', async () => {
  const name = `route-${context().ids.next()}`
  const queue = openQueue(name, { databaseUrl: database.url, log: silentLog })
  const bus = await openPostgresBus(context())
  const events: BusEvent[] = []
  bus.onEvent((event) => void events.push(event))
  const relay = await startOutboxRelay(deps(createDelivery({ queue, bus })))
  const userId = context().ids.next()
  await database.db.transaction(async (tx) => {
    const payload = { userIds: [userId], message: { event: 'logout' as const, data: {} } }
    await enqueue(tx, context(), { topic: 'browser-event', payload, requestId: '' })
  })
  await write()
  await waitFor('the event', () => events.length === 1)
  await waitFor('the task', async () => (await queue.counts())['waiting'] === 1)
  expect(events[0]).toEqual({
    topic: 'browser-event',
    data: { userIds: [userId], message: { event: 'logout', data: {} } },
  })
  await relay.close()
  await bus.close()
  await queue.close()
})

it('the number of waiting messages and the age of the oldest are measured, future ones not', async () => {
  const clock = new ManualClock('2026-06-01T12:00:00Z')
  const insert = (agoMs: number) =>
    database.db.query(
      `insert into control.outbox (id, topic, payload, available_at, created_at) values ($1, 'no-such-topic', '{}', $2, $2)`,
      [context().ids.next(), new Date(clock.now() - agoMs)],
    )
  for (const agoMs of [90_000, 30_000, 60_000, -60_000]) await insert(agoMs)
  const metrics = createMetrics()
  const value = async (name: string) => /^\S+ (\S+)$/m.exec(await metrics.registry.getSingleMetricAsString(name))?.[1]
  // Another control plane delivers them at this moment, so that this one only measures.
  await database.owner.transaction(async (tx) => {
    await tx.query('select 1 from control.outbox for update')
    const relay = await startOutboxRelay({ ...context(), clock, metrics, deliver: () => Promise.resolve() })
    await waitFor('the measurement', async () => (await value('bakter_outbox_waiting')) !== '0')
    await relay.close()
  })
  expect([await value('bakter_outbox_waiting'), await value('bakter_outbox_oldest_seconds')]).toEqual(['3', '90'])
})
