import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { systemIds } from '#platform/ids.ts'
import { addPort, listPorts, makePortPrimary, removePort } from '../../../control-plane/servers/ports/change-ports.ts'
import { requestPower } from '../../../control-plane/servers/access/request-power.ts'
import { reconcileAll } from '../../../control-plane/servers/provisioning/reconcile-loop.ts'
import { addServer } from '../../factories/fleet.ts'
import { openHub, type TestHub } from '../../factories/hub.ts'
import { platformDatabase, type PlatformDatabase } from '../../factories/platform-database.ts'
import { LinkedAgent } from '../../support/linked-agent.ts'

// The agent's own code on the fake runtime, the hub's own code on a real database, and what a customer does with the ports.
let database: PlatformDatabase
let hub: TestHub
let agent: LinkedAgent
let server: { id: string; ownerId: string }

beforeAll(async () => {
  database = await platformDatabase(40)
})
afterAll(() => database.close())
beforeEach(async () => {
  hub = await openHub(database)
  agent = await LinkedAgent.enrol(database.owner, hub.accept)
  await agent.until('a session', () => agent.connection.isReady)
  const { id: _id, identifier: _identifier, generation: _generation, ...spec } = agent.rig.spec()
  const allocations = [{ ip: '127.0.0.1', port: 25_000, primary: true }]
  const environment = { GAME_PORT: '25000' }
  server = await addServer(database.owner, agent.nodeId, { spec: { ...spec, allocations, environment } })
  await database.owner.query(
    `insert into control.allocations (id, node_id, server_id, ip, port, is_primary) values ($1, $2, $3, '127.0.0.1', 25000, true)`,
    [systemIds.next(), agent.nodeId, server.id],
  )
  await settled('the server to run', (row) => row.state === 'running')
})
afterEach(async () => {
  agent.close()
  await hub.close()
  await database.owner.query('delete from control.outbox')
})

type State = { state: string; observed: number; generation: number; running: number | null }
const stateOf = async (): Promise<State> => {
  const [row] = await database.owner.query<State>(
    `select o.state, o.observed_generation as observed, s.generation, o.running_generation as running
     from control.servers s join control.server_state o on o.server_id = s.id where s.id = $1`,
    [server.id],
  )
  if (row === undefined) throw new Error('There is no such server.')
  return row
}
const settled = (what: string, isSo: (row: State) => boolean) =>
  agent.until(what, async () => {
    await reconcileAll({ ...hub.context, metrics: hub.metrics }, agent.nodeId)
    const open = await database.owner.query(
      "select 1 from control.commands where server_id = $1 and state in ('pending', 'accepted')",
      [server.id],
    )
    return open.length === 0 && isSo(await stateOf())
  })
const ask = () => {
  const flags = { isAdmin: false, isSupport: false, isVerified: true }
  const caller = { userId: server.ownerId, sessionId: null, ...flags, locale: 'en', address: '192.0.2.9' } as const
  return { caller, serverId: server.id, requestId: 'req-1' }
}
const power = (action: 'stop' | 'start' | 'restart') => requestPower(hub.context, { ...ask(), action })
const held = async () =>
  (
    await database.owner.query<{ port: number }>(
      'select port from control.allocations where server_id = $1 order by port',
      [server.id],
    )
  ).map(({ port }) => port)
const idOf = async (port: number) =>
  (
    await database.owner.query<{ id: string }>(
      'select id from control.allocations where server_id = $1 and port = $2',
      [server.id, port],
    )
  )[0]?.id ?? ''
const needsRestart = async () => {
  const listed = await listPorts(hub.context, ask())
  return listed.ok && listed.ports.needsRestart
}
/** The ports and environment that the newest program was started with. */
const started = () => {
  const task = agent.rig.world.tasks.get(agent.rig.world.begun.at(-1) ?? '')
  if (task === undefined || task === 'ruled-out') throw new Error('Nothing was started.')
  const { ports, environment } = task.spec
  return { ports: ports.map(({ port }) => port), primary: environment['SERVER_PORT'], game: environment['GAME_PORT'] }
}
const isTaken = (row: State): boolean => row.observed === row.generation

it('a new port, another primary one and a variable that follows reach the program with its next start', async () => {
  await addPort(hub.context, { ...ask(), note: '' })
  await makePortPrimary(hub.context, { ...ask(), portId: await idOf(25_001) })
  await settled('the node to know the ports', isTaken)
  expect(started()).toEqual({ ports: [25_000], primary: '25000', game: '25000' })
  expect(await needsRestart()).toBe(true)
  await power('restart')
  await settled('the restart', (row) => row.state === 'running' && row.running === row.generation)
  expect(started()).toEqual({ ports: [25_001, 25_000], primary: '25001', game: '25001' })
  expect(await needsRestart()).toBe(false)
})

it('a removed port is freed by the restart, and not before, though the node knows the new ports', async () => {
  await addPort(hub.context, { ...ask(), note: '' })
  await power('restart')
  await settled('the restart', (row) => row.state === 'running' && row.running === row.generation)
  await removePort(hub.context, { ...ask(), portId: await idOf(25_001) })
  await settled('the node to know the ports', isTaken)
  expect([started().ports, await held(), await needsRestart()]).toEqual([[25_000, 25_001], [25_000, 25_001], true])
  await power('restart')
  await settled('the restart', (row) => row.state === 'running' && row.running === row.generation)
  expect([started().ports, await held(), await needsRestart()]).toEqual([[25_000], [25_000], false])
})

it('a removed port is freed by the stop of the program too', async () => {
  await addPort(hub.context, { ...ask(), note: '' })
  await power('restart')
  await settled('the restart', (row) => row.state === 'running' && row.running === row.generation)
  await removePort(hub.context, { ...ask(), portId: await idOf(25_001) })
  await settled('the node to know the ports', isTaken)
  await power('stop')
  await settled('the stop', (row) => row.state === 'offline')
  expect([await held(), (await stateOf()).running]).toEqual([[25_000], null])
})

it('a removed port of a stopped server stays while its machine is away, and is freed once it knows', async () => {
  await addPort(hub.context, { ...ask(), note: '' })
  await power('stop')
  await settled('the stop', (row) => row.state === 'offline' && isTaken(row))
  agent.link.cut()
  await removePort(hub.context, { ...ask(), portId: await idOf(25_001) })
  expect(await held()).toEqual([25_000, 25_001])
  agent.link.join()
  await agent.until('a session', () => agent.connection.isReady)
  await settled('the node to know the ports', isTaken)
  expect(await held()).toEqual([25_000])
})

it('a node says the generation of its program again after the agent was restarted', async () => {
  await addPort(hub.context, { ...ask(), note: '' })
  await settled('the node to know the ports', isTaken)
  const { generation } = await stateOf()
  await agent.rig.agent()
  expect(agent.rig.server(server.id).core.observed()).toMatchObject({ generation, runningGeneration: generation - 1 })
})
