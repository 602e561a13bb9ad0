import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemIds } from '#platform/ids.ts'
import {
  addPort,
  listPorts,
  makePortPrimary,
  notePort,
  removePort,
} from '../../../control-plane/servers/ports/change-ports.ts'
import { placeOnNode } from '../../../control-plane/servers/placement/place-on-node.ts'
import { takePorts } from '../../../control-plane/servers/placement/take-ports.ts'
import { addNode, addServer, makeReachable, type FleetNode } from '../../factories/fleet.ts'
import { platformDatabase, type PlatformDatabase } from '../../factories/platform-database.ts'
import { portedServers } from '../../factories/ported-servers.ts'

let database: PlatformDatabase
let node: FleetNode
let { deps, newServer, rowsOf, portsOf, specOf, idOf, activities, observed } = {} as ReturnType<typeof portedServers>
beforeAll(async () => {
  database = await platformDatabase(40)
  ;({ deps, newServer, rowsOf, portsOf, specOf, idOf, activities, observed } = portedServers(database, () => node))
})
afterAll(() => database.close())
beforeEach(async () => {
  node = await addNode(database.owner, 'http://node.test:25003')
  await makeReachable(database.owner, node.nodeId)
})

describe('adding a port', () => {
  it('gives the lowest free one of the machine, to the specification of the node too, with its note and an activity', async () => {
    const { id, ownerId, ask } = await newServer(25_000)
    const added = await addPort(deps(), { ...ask, note: 'voice chat' })
    expect(added).toMatchObject({
      ok: true,
      ports: {
        ports: [
          { port: 25_000, isPrimary: true, use: 'primary' },
          { port: 25_001, isPrimary: false, use: 'free', note: 'voice chat', address: '127.0.0.1:25001', keptBy: null },
        ],
        limit: 4,
      },
    })
    expect(await rowsOf(id)).toMatchObject([
      { port: 25_000, is_primary: true },
      { port: 25_001, is_primary: false, note: 'voice chat', removed_in: null },
    ])
    expect(await specOf(id)).toMatchObject({ ports: [25_000, 25_001], generation: 2 })
    expect(await activities(id)).toEqual([
      {
        type: 'server:allocation.create',
        detail: { text: '127.0.0.1:25001' },
        ip_address: '192.0.2.9',
        way: 'panel',
        user_id: ownerId,
      },
    ])
    expect(
      await database.owner.query(
        "select 1 from control.outbox where topic = 'provision-server' and payload ->> 'serverId' = $1",
        [id],
      ),
    ).toHaveLength(1)
  })

  it('never gives the port of another server, of the agent, or a reserved one', async () => {
    await newServer(25_001)
    await database.owner.query(
      `insert into control.allocations (id, node_id, ip, port, reserved) values ($1, $2, '127.0.0.1', 25002, true)`,
      [systemIds.next(), node.nodeId],
    )
    const { id, ask } = await newServer(25_000)
    // The agent of this machine listens at 25003.
    await addPort(deps(), { ...ask, note: '' })
    expect(await portsOf(id)).toEqual([25_000, 25_004])
  })

  it('orders do not get reserved ports or that of the agent either', async () => {
    await database.owner.query('update cms_api.computers set start_port = 25002, port_count = 4 where id = $1', [
      node.computerId,
    ])
    await database.owner.query(
      `insert into control.allocations (id, node_id, ip, port, reserved) values ($1, $2, '127.0.0.1', 25002, true)`,
      [systemIds.next(), node.nodeId],
    )
    const demand = { computerIds: [node.computerId], limits: { memoryMiB: 1, storageMiB: 1 }, canRunOn: () => true }
    await database.db.transaction(async (tx) => {
      expect(await placeOnNode(tx, deps().clock, { ...demand, ports: 3 })).toMatchObject({ code: 'NO_FREE_PORT' })
      const placed = await placeOnNode(tx, deps().clock, { ...demand, ports: 2 })
      if (!placed.ok) throw new Error(placed.code)
      const { id: serverId } = await addServer(database.owner, node.nodeId)
      const taken = await takePorts(tx, systemIds, { node: placed, serverId, count: 2 })
      expect(taken.map(({ port }) => port)).toEqual([25_004, 25_005])
    })
  })

  it('fifty requests at the last port of the limit give one', async () => {
    const { id, ask } = await newServer(25_000)
    await addPort(deps(), { ...ask, note: '' })
    await addPort(deps(), { ...ask, note: '' })
    const results = await Promise.all(Array.from({ length: 50 }, () => addPort(deps(), { ...ask, note: '' })))
    expect(results.filter(({ ok }) => ok)).toHaveLength(1)
    expect(new Set(results.flatMap((each) => (each.ok ? [] : [each.code])))).toEqual(new Set(['PORT_LIMIT']))
    expect(await portsOf(id)).toEqual([25_000, 25_001, 25_002, 25_004])
    expect((await specOf(id)).ports).toEqual([25_000, 25_001, 25_002, 25_004])
  })

  it('the last free port of a machine goes to one of twenty customers', async () => {
    await database.owner.query('update cms_api.computers set start_port = 25010, port_count = 21 where id = $1', [
      node.computerId,
    ])
    const servers = await Promise.all(Array.from({ length: 20 }, (_, place) => newServer(25_010 + place)))
    const results = await Promise.all(servers.map(({ ask }) => addPort(deps(), { ...ask, note: '' })))
    expect(results.filter(({ ok }) => ok)).toHaveLength(1)
    expect(new Set(results.flatMap((each) => (each.ok ? [] : [each.code])))).toEqual(new Set(['NO_FREE_PORT']))
    const owners = await database.owner.query(
      'select server_id from control.allocations where node_id = $1 and port = 25030 and server_id is not null',
      [node.nodeId],
    )
    expect(owners).toHaveLength(1)
    // A server that got no port has a specification without it.
    for (const [place, { id }] of servers.entries()) {
      const { ports } = await specOf(id)
      expect(ports).toEqual(results[place]?.ok ? [25_010 + place, 25_030] : [25_010 + place])
    }
  })

  it('a customer and an order want the last port: one of them gets it', async () => {
    await database.owner.query('update cms_api.computers set start_port = 25040, port_count = 2 where id = $1', [
      node.computerId,
    ])
    const { id, ask } = await newServer(25_040)
    const { id: serverId } = await addServer(database.owner, node.nodeId)
    const order = database.db.transaction(async (tx) => {
      const limits = { memoryMiB: 1, storageMiB: 1 }
      const wanted = { computerIds: [node.computerId], ports: 1, limits, canRunOn: () => true }
      const placed = await placeOnNode(tx, deps().clock, wanted)
      if (placed.ok) await takePorts(tx, systemIds, { node: placed, serverId, count: 1 })
      return placed.ok
    })
    const [added, ordered] = await Promise.all([addPort(deps(), { ...ask, note: '' }), order])
    expect([added.ok, ordered].filter(Boolean)).toHaveLength(1)
    expect([...(await portsOf(id)), ...(await portsOf(serverId))].toSorted()).toEqual([25_040, 25_041])
  })
})

describe('removing a port', () => {
  it('of a running server keeps it until the program was started without it', async () => {
    const { id, ask } = await newServer(25_000, { state: 'running', power: 'running' })
    await addPort(deps(), { ...ask, note: 'map' })
    await observed(id, 'running', 2, 2)
    const removed = await removePort(deps(), { ...ask, portId: await idOf(id, 25_001) })
    expect(removed).toMatchObject({ ok: true, ports: { leaving: [{ port: 25_001 }], needsRestart: true } })
    expect((await specOf(id)).ports).toEqual([25_000])
    // The node has the new specification, and the program still its old ports.
    await observed(id, 'running', 3, 2)
    expect(await portsOf(id)).toEqual([25_000, 25_001])
    const stranger = await newServer(25_002)
    await addPort(deps(), { ...stranger.ask, note: '' })
    expect(await portsOf(stranger.id)).toEqual([25_002, 25_004])
    await observed(id, 'running', 3, 3)
    expect(await portsOf(id)).toEqual([25_000])
    await addPort(deps(), { ...stranger.ask, note: '' })
    const [, free] = await rowsOf(stranger.id).then((rows) => [rows[1], rows.find(({ port }) => port === 25_001)])
    expect(free).toMatchObject({ port: 25_001, note: '', removed_in: null })
  })

  it.each([
    ['offline', true],
    ['crashed', true],
    ['startup_failed', true],
    ['unknown', false],
    ['stopping', false],
    ['running', false],
  ])('a node that says %s, and not what its program was started with: freed %s', async (state, isFreed) => {
    const { id, ask } = await newServer(25_000)
    await addPort(deps(), { ...ask, note: '' })
    await removePort(deps(), { ...ask, portId: await idOf(id, 25_001) })
    // Its specification is the one from before.
    await observed(id, state, 2, null)
    expect(await portsOf(id)).toEqual([25_000, 25_001])
    await observed(id, state, 3, null)
    expect(await portsOf(id)).toEqual(isFreed ? [25_000] : [25_000, 25_001])
  })

  it('a port that leaves comes back before any other is taken, so that nobody exhausts a machine', async () => {
    const { id, ask } = await newServer(25_000, { state: 'running', power: 'running' })
    await addPort(deps(), { ...ask, note: 'old' })
    await observed(id, 'running', 2, 2)
    for (let turn = 0; turn < 5; turn += 1) {
      await removePort(deps(), { ...ask, portId: await idOf(id, 25_001) })
      const again = await addPort(deps(), { ...ask, note: 'new' })
      // The program has had it all the time.
      expect(again).toMatchObject({ ok: true, ports: { needsRestart: false, leaving: [] } })
    }
    expect(await rowsOf(id)).toMatchObject([{ port: 25_000 }, { port: 25_001, note: 'new', removed_in: null }])
    expect((await specOf(id)).ports).toEqual([25_000, 25_001])
  })

  it('the primary port, one that a variable names and one that the program needs are kept, and the variable is named', async () => {
    const allocations = [25_000, 25_001, 25_002].map((port) => ({ ip: '127.0.0.1', port, primary: port === 25_000 }))
    const { id, ask } = await newServer(25_000, {
      spec: { allocations, environment: { RCON_PORT: '25002' }, startup: { argv: ['game', '{{port:1}}'] } },
    })
    const remove = async (port: number) => removePort(deps(), { ...ask, portId: await idOf(id, port) })
    expect(await remove(25_000)).toEqual({ ok: false, code: 'PORT_IS_PRIMARY' })
    expect(await remove(25_001)).toEqual({ ok: false, code: 'PORT_IN_PROGRAM' })
    expect(await remove(25_002)).toEqual({ ok: false, code: 'PORT_IN_USE', params: { variable: 'RCON_PORT' } })
    expect(await specOf(id)).toMatchObject({ ports: [25_000, 25_001, 25_002], generation: 1 })
    expect(await activities(id)).toEqual([])
    const listed = await listPorts(deps(), ask)
    expect(listed).toMatchObject({
      ports: {
        ports: [
          { keptBy: 'primary' },
          { keptBy: 'program', use: 'program' },
          { keptBy: 'variable', use: 'variable', variables: [{ environmentVariable: 'RCON_PORT' }] },
        ],
      },
    })
  })

  it('twice is once', async () => {
    const { id, ask } = await newServer(25_000, { state: 'running', power: 'running' })
    await addPort(deps(), { ...ask, note: '' })
    const portId = await idOf(id, 25_001)
    const both = await Promise.all([removePort(deps(), { ...ask, portId }), removePort(deps(), { ...ask, portId })])
    expect(both.map(({ ok }) => ok)).toEqual([true, true])
    expect((await activities(id)).filter(({ type }) => type === 'server:allocation.delete')).toHaveLength(1)
    expect((await specOf(id)).generation).toBe(3)
  })
})

describe('another primary port', () => {
  it('is the address from then on; variables follow, and the running program needs a restart', async () => {
    const { id, ask } = await newServer(25_000, {
      state: 'running',
      spec: { environment: { GAME_PORT: '25000', MOTD: '25000' } },
    })
    await addPort(deps(), { ...ask, note: '' })
    await observed(id, 'running', 2, 2)
    const portId = await idOf(id, 25_001)
    const changed = await makePortPrimary(deps(), { ...ask, portId })
    expect(changed).toMatchObject({
      ports: {
        needsRestart: true,
        ports: [
          { port: 25_001, isPrimary: true },
          { port: 25_000, isPrimary: false },
        ],
      },
    })
    const { spec } = await specOf(id)
    expect(spec?.allocations).toEqual([
      { ip: '127.0.0.1', port: 25_001, primary: true },
      { ip: '127.0.0.1', port: 25_000, primary: false },
    ])
    expect(spec?.environment).toEqual({ GAME_PORT: '25001', MOTD: '25000' })
    expect(await rowsOf(id)).toMatchObject([
      { port: 25_000, is_primary: false },
      { port: 25_001, is_primary: true },
    ])
    await observed(id, 'running', 3, 3)
    expect(await listPorts(deps(), ask)).toMatchObject({ ports: { needsRestart: false } })
    // Once more is no change.
    await makePortPrimary(deps(), { ...ask, portId })
    expect((await specOf(id)).generation).toBe(3)
    expect((await activities(id)).map(({ type }) => type)).toEqual([
      'server:allocation.create',
      'server:allocation.primary',
    ])
  })
})

it('a note changes the note and nothing on the node', async () => {
  const { id, ask } = await newServer(25_000)
  const portId = await idOf(id, 25_000)
  await notePort(deps(), { ...ask, portId, note: 'players' })
  await notePort(deps(), { ...ask, portId, note: 'players' })
  expect(await rowsOf(id)).toMatchObject([{ port: 25_000, note: 'players' }])
  expect((await specOf(id)).generation).toBe(1)
  expect((await activities(id)).map(({ type }) => type)).toEqual(['server:allocation.notes'])
})

describe('a variable that is linked to a port', () => {
  const link = (id: string, links: object) =>
    database.owner.query('update control.servers set port_links = $2 where id = $1', [id, JSON.stringify(links)])
  const environmentOf = async (id: string) =>
    (
      await database.owner.query<{ environment: Record<string, string> }>(
        `select spec -> 'environment' as environment from control.servers where id = $1`,
        [id],
      )
    )[0]?.environment

  it('changes places with the one of the primary port, so that no two contain the same', async () => {
    const { id, ask } = await newServer(25_000)
    await addPort(deps(), { ...ask, note: '' })
    await link(id, { GAME: 'primary', QUERY: '25001' })
    expect(await environmentOf(id)).toMatchObject({ GAME: '25000', QUERY: '25001' })
    expect(await makePortPrimary(deps(), { ...ask, portId: await idOf(id, 25_001) })).toMatchObject({ ok: true })
    expect(await environmentOf(id)).toMatchObject({ GAME: '25001', QUERY: '25000' })
  })

  it('keeps its port from being removed, whatever its name', async () => {
    const { id, ask } = await newServer(25_000)
    await addPort(deps(), { ...ask, note: '' })
    await link(id, { QUERY: '25001' })
    const removed = await removePort(deps(), { ...ask, portId: await idOf(id, 25_001) })
    expect(removed).toMatchObject({ ok: false, code: 'PORT_IN_USE', params: { variable: 'QUERY' } })
    expect(await portsOf(id)).toEqual([25_000, 25_001])
  })
})
