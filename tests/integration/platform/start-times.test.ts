import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ObservedServer } from '#contracts/agent/session.ts'
import { StartTimes } from '#contracts/http/panel/start-times.ts'
import { PERMISSIONS } from '#contracts/panel/permissions.ts'
import { systemIds } from '#platform/ids.ts'
import { createMetrics } from '../../../control-plane/platform/metrics.ts'
import { observeEvent, observeHello } from '../../../control-plane/servers/provisioning/observe.ts'
import { readStartTimes } from '../../../control-plane/servers/startup/start-times.ts'
import { addNode, addServer, type FleetNode, type ServerOptions } from '../../factories/fleet.ts'
import { observing } from '../../factories/observing.ts'
import { platformDatabase, testContext, type PlatformDatabase } from '../../factories/platform-database.ts'

const IMAGE = (letter: string) => `registry.example/game@sha256:${letter.repeat(64)}`
const BEGUN_MS = Date.UTC(2026, 10, 20, 19, 0, 0)

let database: PlatformDatabase
let node: FleetNode
beforeAll(async () => {
  database = await platformDatabase()
  node = await addNode(database.owner)
})
afterAll(() => database.close())

const deps = () => observing({ ...testContext(database.db), metrics: createMetrics({ processMetrics: false }) })
const newServer = (options: ServerOptions = {}) =>
  addServer(database.owner, node.nodeId, { installed: true, state: 'offline', ...options })
type Rented = Awaited<ReturnType<typeof newServer>>

const observed = ({ id }: Rented, state: ObservedServer['state'], since: number): ObservedServer => ({
  id,
  generation: 1,
  state,
  exit: null,
  installed: true,
  since,
})
let seq = 0
const says = (rented: Rented, state: ObservedServer['state'], since: number) => {
  seq += 1
  const event = { kind: 'server.state', seq, requestId: null, server: observed(rented, state, since) } as const
  return database.db.transaction((tx) =>
    observeEvent(tx, deps(), { nodeId: node.nodeId, event: { ...event, atMs: since } }),
  )
}
/** A start that takes so long and ends in this state, followed by a stop. */
const start = async (rented: Rented, durationMs: number, end: ObservedServer['state'] = 'running') => {
  await says(rented, 'starting', BEGUN_MS)
  await says(rented, end, BEGUN_MS + durationMs)
  await says(rented, 'offline', BEGUN_MS + durationMs + 1)
}
const read = (rented: Rented, caller: { userId: string; isAdmin?: boolean } = { userId: rented.ownerId }) =>
  readStartTimes(testContext(database.db), { caller: { isAdmin: false, ...caller }, serverId: rented.id })
const usualOf = async (rented: Rented) => {
  const answer = await read(rented)
  if (!answer.ok) throw new Error(answer.code)
  return StartTimes.parse(answer.times).usual
}
const kept = async ({ id }: Rented) => {
  const [row] = await database.owner.query<{ start_times_ms: number[] }>(
    'select start_times_ms from control.server_state where server_id = $1',
    [id],
  )
  return row?.start_times_ms
}

it('keeps how long successful starts took, and says what is usual from the third on', async () => {
  const rented = await newServer()
  await start(rented, 30_000)
  await start(rented, 50_000)
  expect(await usualOf(rented)).toBeNull()
  await start(rented, 40_000)
  expect(await kept(rented)).toEqual([30_000, 50_000, 40_000])
  expect(await usualOf(rented)).toEqual({ count: 3, lowMs: 40_000, medianMs: 40_000, highMs: 50_000 })
})

it('a start that fails, or that never was one, counts for nothing', async () => {
  const rented = await newServer()
  await start(rented, 9_000, 'crashed')
  await start(rented, 9_000, 'offline')
  await says(rented, 'running', BEGUN_MS + 70_000)
  // The node repeats a state with every change of a specification.
  await says(rented, 'running', BEGUN_MS + 70_000)
  expect(await kept(rented)).toEqual([])
})

it('only the last nine starts count', async () => {
  const rented = await newServer()
  for (let second = 1; second <= 12; second += 1) await start(rented, second * 1_000)
  expect(await kept(rented)).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12].map((second) => second * 1_000))
})

it('between two hellos of a node a start is not measured: the server may have started more than once', async () => {
  const rented = await newServer()
  await says(rented, 'starting', BEGUN_MS)
  const servers = [observed(rented, 'running', BEGUN_MS + 600_000)]
  await database.db.transaction((tx) => observeHello(tx, deps(), { nodeId: node.nodeId, servers, wasReachable: true }))
  expect(await kept(rented)).toEqual([])
})

it('starts with another image, template or node are forgotten at once, and not kept beside the new ones', async () => {
  const change = {
    image: (id: string) =>
      database.owner.query(
        `update control.servers set spec = jsonb_set(spec, '{image}', to_jsonb($2::text)) where id = $1`,
        [id, IMAGE('b')],
      ),
    template: (id: string) =>
      database.owner.query('update control.servers set template_id = $2 where id = $1', [id, systemIds.next()]),
    node: async (id: string) => {
      const other = await addNode(database.owner)
      return database.owner.query('update control.servers set node_id = $2 where id = $1', [id, other.nodeId])
    },
  }
  for (const kind of ['image', 'template', 'node'] as const) {
    const rented = await newServer({ spec: { image: IMAGE('a') } })
    for (const durationMs of [10_000, 11_000, 12_000]) await start(rented, durationMs)
    expect(await usualOf(rented), kind).not.toBeNull()
    await change[kind](rented.id)
    expect(await usualOf(rented), kind).toBeNull()
    if (kind === 'node') continue
    await start(rented, 90_000)
    expect(await kept(rented), kind).toEqual([90_000])
  }
})

it('says how long the present start has taken', async () => {
  const rented = await newServer()
  await says(rented, 'starting', testContext(database.db).clock.now() - 8_000)
  const answer = await read(rented)
  expect(answer.ok && answer.times.startingForMs).toBeGreaterThanOrEqual(8_000)
  await says(rented, 'running', testContext(database.db).clock.now())
  expect(await read(rented)).toMatchObject({ ok: true, times: { startingForMs: null } })
})

it('requires the permission to read the console; a strange server is none, a suspended one is closed', async () => {
  const rented = await newServer()
  const share = async (permissions: readonly string[]) => {
    const userId = systemIds.next()
    await database.owner.query(
      `insert into control.server_users (server_id, user_id, permissions, created_at) values ($1, $2, $3, now())`,
      [rented.id, userId, [...permissions]],
    )
    return userId
  }
  const reader = await share(['console.read'])
  const other = await share(PERMISSIONS.filter((permission) => permission !== 'console.read'))
  expect(await read(rented, { userId: reader })).toMatchObject({ ok: true })
  expect(await read(rented, { userId: other })).toEqual({ ok: false, code: 'FORBIDDEN', permission: 'console.read' })
  expect(await read(rented, { userId: systemIds.next() })).toEqual({ ok: false, code: 'NOT_FOUND' })
  const suspended = await newServer({ suspended: true })
  expect(await read(suspended)).toEqual({ ok: false, code: 'SERVER_SUSPENDED' })
  expect(await read(suspended, { userId: systemIds.next(), isAdmin: true })).toMatchObject({ ok: true })
})
