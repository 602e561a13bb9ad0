import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { releaseLease, reportLostNodes, takeLease } from '../../../control-plane/servers/nodes/session-lease.ts'
import { createMetrics } from '../../../control-plane/platform/metrics.ts'
import { reconcileServer } from '../../../control-plane/servers/provisioning/apply-plan.ts'
import { reconcileAll } from '../../../control-plane/servers/provisioning/reconcile-loop.ts'
import { isReachable } from '../../../control-plane/servers/store/node-store.ts'
import { addNode, addServer, makeReachable } from '../../factories/fleet.ts'
import { openHub } from '../../factories/hub.ts'
import { platformDatabase, testContext, type PlatformDatabase } from '../../factories/platform-database.ts'
import { ManualClock } from '../../setup/manual-clock.ts'
import { FakeAgent } from '../../support/fake-agent.ts'
import { waitFor } from '../../support/wait-for.ts'

let database: PlatformDatabase
beforeAll(async () => {
  database = await platformDatabase()
})
afterEach(() => database.owner.query('delete from control.outbox'))
afterAll(() => database.close())

const events = async () =>
  (
    await database.owner.query<{ payload: unknown }>(
      `select payload from control.outbox where topic = 'browser-event' order by created_at, id`,
    )
  ).map(({ payload }) => payload)
const stateEvent = (userIds: string[], sid: string, state: string) => ({
  userIds,
  message: { event: 'server.state.change', data: { sid, state } },
})

it('a node counts as gone when its lease ends; owner and sub-users are notified once, and again when it returns', async () => {
  const clock = new ManualClock(Date.now())
  const context = testContext(database.db, { clock })
  const identity = await addNode(database.owner)
  const { nodeId } = identity
  const { id, ownerId } = await addServer(database.owner, nodeId, { installed: true, state: 'running' })
  const friend = context.ids.next()
  await database.owner.query(
    `insert into control.server_users (server_id, user_id, permissions, created_at) values ($1, $2, '{}', now())`,
    [id, friend],
  )
  await makeReachable(database.owner, nodeId, clock.now())
  clock.advance(29_999)
  expect(await reportLostNodes(context)).toBe(0)
  clock.advance(1)
  expect(await isReachable(database.db, nodeId, clock.now())).toBe(false)
  expect(await reportLostNodes(context)).toBe(1)
  expect(await reportLostNodes(context)).toBe(0)
  expect(await events()).toEqual([stateEvent([ownerId, friend], id, 'nodeoffline')])
  await database.owner.query('delete from control.outbox')
  const hub = await openHub(database, { context: { clock }, relay: false })
  const agent = new FakeAgent(identity)
  agent.servers.set(id, { id, generation: 1, state: 'running', exit: null, installed: true, since: 1 })
  await agent.connectLive(hub.accept)
  expect(await events()).toEqual([stateEvent([ownerId, friend], id, 'running')])
  await hub.close()
})

it('nobody is notified of a short reconnect', async () => {
  const clock = new ManualClock(Date.now())
  const context = testContext(database.db, { clock })
  const identity = await addNode(database.owner)
  const { id } = await addServer(database.owner, identity.nodeId, { installed: true, state: 'running' })
  const hub = await openHub(database, { context: { clock }, relay: false })
  const agent = new FakeAgent(identity)
  agent.servers.set(id, { id, generation: 1, state: 'running', exit: null, installed: true, since: 1 })
  const peer = await agent.connectLive(hub.accept)
  await database.owner.query('delete from control.outbox')
  peer.cut()
  clock.advance(5_000)
  await reportLostNodes(context)
  await agent.connectLive(hub.accept)
  expect(await events()).toEqual([])
  await hub.close()
})

it('after a clean end of the session the node has ten seconds to return', async () => {
  const clock = new ManualClock(Date.now())
  const { nodeId } = await addNode(database.owner)
  const lease = { nodeId, sessionId: testContext(database.db).ids.next() }
  await database.db.transaction((tx) => takeLease(tx, { ...lease, holder: 'test', nowMs: clock.now() }))
  await releaseLease(database.db, lease, clock.now())
  clock.advance(9_999)
  expect(await isReachable(database.db, nodeId, clock.now())).toBe(true)
  clock.advance(1)
  expect(await isReachable(database.db, nodeId, clock.now())).toBe(false)
})

it('of ten concurrent plans for one server one installation is written', async () => {
  const deps = { ...testContext(database.db), metrics: createMetrics() }
  const { nodeId } = await addNode(database.owner)
  const { id } = await addServer(database.owner, nodeId)
  await makeReachable(database.owner, nodeId)
  await Promise.all(Array.from({ length: 10 }, () => reconcileServer(id, 'req', deps)))
  expect(await database.owner.query('select kind from control.commands where server_id = $1', [id])).toEqual([
    { kind: 'install' },
  ])
})

it('the database itself refuses a second open installation', async () => {
  const { nodeId } = await addNode(database.owner)
  const { id } = await addServer(database.owner, nodeId)
  const write = () =>
    database.owner.query(
      `insert into control.commands (id, node_id, server_id, generation, kind, body, request_id, created_at)
       values (gen_random_uuid(), $1, $2, 1, 'install', '{}', '', now())`,
      [nodeId, id],
    )
  await write()
  await expect(write()).rejects.toThrow('commands_one_of_a_kind')
})

it('a crash after the command row leaves nothing partial: the next round plans again', async () => {
  let broken = true
  const faults = async (name: string) => {
    if (name === 'provision.after-command-row' && broken) throw new Error('crash')
  }
  const deps = { ...testContext(database.db, { faults }), metrics: createMetrics() }
  const { nodeId } = await addNode(database.owner)
  const { id } = await addServer(database.owner, nodeId)
  await makeReachable(database.owner, nodeId)
  await expect(reconcileServer(id, 'req', deps)).rejects.toThrow('crash')
  const commands = () => database.owner.query('select 1 from control.commands where server_id = $1', [id])
  expect(await commands()).toHaveLength(0)
  broken = false
  await reconcileAll(deps)
  expect(await commands()).toHaveLength(1)
})

it('the loop’s preselection includes every server that the decision would act on', async () => {
  const deps = { ...testContext(database.db), metrics: createMetrics() }
  const { nodeId } = await addNode(database.owner)
  await makeReachable(database.owner, nodeId)
  const cases = [
    { state: 'creating' as const },
    { state: 'offline' as const, installed: true },
    { state: 'running' as const, installed: true, power: 'stopped' as const },
    { state: 'running' as const, installed: true, suspended: true },
    { state: 'crashed' as const, installed: true, generation: 2, observedGeneration: 1 },
    { state: 'unknown' as const, installed: true, desired: 'deleted' as const },
    { state: 'creating' as const, desired: 'deleted' as const },
  ]
  const ids = await Promise.all(cases.map((options) => addServer(database.owner, nodeId, options)))
  await waitFor('a round', async () => (await reconcileAll(deps, nodeId)) === 0)
  const rows = await database.owner.query<{ server_id: string }>(
    'select server_id from control.commands where node_id = $1',
    [nodeId],
  )
  expect(new Set(rows.map((row) => row.server_id))).toEqual(new Set(ids.map(({ id }) => id)))
})
