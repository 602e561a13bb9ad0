import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { AgentCommand } from '#contracts/agent/session.ts'
import { reconcileServer } from '../../../control-plane/provisioning/apply-plan.ts'
import { addNode, addServer, serverSpec } from '../../factories/fleet.ts'
import { openHub, type TestHub } from '../../factories/hub.ts'
import { platformDatabase, type PlatformDatabase } from '../../factories/platform-database.ts'
import { FakeAgent } from '../../support/fake-agent.ts'
import { waitFor } from '../../support/wait-for.ts'

let database: PlatformDatabase
let hubs: TestHub[] = []
let stops: (() => void)[] = []
beforeAll(async () => {
  database = await platformDatabase(40)
})
afterEach(async () => {
  for (const stop of stops) stop()
  await Promise.all(hubs.map((hub) => hub.close()))
  hubs = []
  stops = []
  await database.owner.query('delete from control.outbox')
})
afterAll(() => database.close())

const open = async (...options: Parameters<typeof openHub> extends [unknown, ...infer Rest] ? Rest : never) => {
  const hub = await openHub(database, ...options)
  hubs.push(hub)
  return hub
}
const newAgent = async () => new FakeAgent(await addNode(database.owner))
const ackedSeq = async (nodeId: string) =>
  Number(
    (
      await database.owner.query<{ s: bigint }>('select acknowledged_seq as s from control.nodes where id = $1', [
        nodeId,
      ])
    )[0]?.s,
  )
const stateOf = async (id: string) =>
  (
    await database.owner.query<{ state: string; installed: boolean }>(
      'select state, installed from control.server_state where server_id = $1',
      [id],
    )
  )[0]
const commandsOf = (id: string) =>
  database.owner.query<{ id: string; kind: string; state: string; body: AgentCommand }>(
    'select id, kind, state, body from control.commands where server_id = $1 order by created_at, id',
    [id],
  )

describe('opening a session', () => {
  it('A1 speaks first, and welcomes the agent that signs the challenge', async () => {
    const { accept } = await open()
    const agent = await newAgent()
    const { id } = await addServer(database.owner, agent.identity.nodeId, {
      installed: true,
      state: 'offline',
      power: 'stopped',
    })
    const peer = await agent.connectLive(accept)
    expect(peer.received[0]?.type).toBe('challenge')
    expect(peer.received[1]).toMatchObject({
      type: 'welcome',
      epoch: 1,
      servers: [{ id, generation: 1 }],
      siteOrigins: ['http://site.test'],
    })
  })

  it('A1 two challenges are never the same, so a signature cannot be played again', async () => {
    const { accept } = await open()
    const agent = await newAgent()
    const challenges = new Set<string>()
    for (let i = 0; i < 20; i += 1) {
      const peer = await agent.connect(accept)
      const message = peer.received[0]
      if (message?.type === 'challenge') challenges.add(message.challenge)
      peer.cut()
    }
    expect(challenges.size).toBe(20)
  })

  it.each([
    ['a wrong signature', { badSignature: true }, 'BAD_SIGNATURE'],
    ['another protocol', { protocol: 99 }, 'PROTOCOL_VERSION'],
  ])('refuses %s and changes nothing', async (_name, options, code) => {
    const { accept } = await open()
    const agent = await newAgent()
    const peer = await agent.connect(accept, options)
    expect(await peer.next('the refusal', ({ type }) => type === 'refused')).toMatchObject({ code })
    expect((await peer.untilClosed()).code).toBe(4401)
    expect(
      await database.owner.query('select 1 from control.agent_sessions where node_id = $1', [agent.identity.nodeId]),
    ).toEqual([])
  })

  it('refuses a key of another node', async () => {
    const { accept } = await open()
    const [mine, other] = [await newAgent(), await newAgent()]
    const thief = new FakeAgent({ nodeId: other.identity.nodeId, privateKey: mine.identity.privateKey })
    const peer = await thief.connect(accept)
    expect(await peer.next('the refusal', ({ type }) => type === 'refused')).toMatchObject({ code: 'BAD_SIGNATURE' })
  })

  it('A9 refuses an agent that has served a higher epoch', async () => {
    const { accept } = await open()
    const agent = await newAgent()
    agent.epoch = 2
    const peer = await agent.connect(accept)
    expect(await peer.next('the refusal', ({ type }) => type === 'refused')).toMatchObject({ code: 'EPOCH' })
  })

  it.each([
    ['an event', { type: 'beat', nowMs: 1 }],
    ['an unknown message', { type: 'rm -rf' }],
  ])('closes a connection that sends %s before its hello', async (_name, message) => {
    const { accept } = await open()
    const agent = await newAgent()
    const { socketPair } = await import('../../support/socket-pair.ts')
    const { socket, peer } = socketPair()
    accept(socket)
    peer.send(message)
    expect((await peer.untilClosed()).code).toBe(4400)
    expect(await ackedSeq(agent.identity.nodeId)).toBe(0)
  })

  it('closes a connection without a hello in time', async () => {
    const { accept } = await open({ hub: { timing: { helloMs: 30 } } })
    const { socketPair } = await import('../../support/socket-pair.ts')
    const { socket, peer } = socketPair()
    accept(socket)
    expect(await peer.untilClosed()).toEqual({ code: 4400, reason: 'no hello' })
  })
})

describe('two sessions of one node', () => {
  it('A3 closes the older with 4410 and alarms, in one process', async () => {
    const { accept, metrics } = await open()
    const agent = await newAgent()
    const first = await agent.connectLive(accept)
    const second = await agent.connectLive(accept)
    expect((await first.untilClosed()).code).toBe(4410)
    expect(second.closed).toBeUndefined()
    expect(await metrics.registry.getSingleMetricAsString('bakter_agent_alarms_total')).toContain(
      'kind="superseded"} 1',
    )
  })

  it('A3 closes the older with 4410 when the newer is in another process', async () => {
    const [one, two] = [await open(), await open({ relay: false })]
    const agent = await newAgent()
    const first = await agent.connectLive(one.accept)
    const second = await agent.connectLive(two.accept)
    expect((await first.untilClosed()).code).toBe(4410)
    expect(second.closed).toBeUndefined()
  })

  it('A3 stores nothing for a session that lost its lease, and closes it', async () => {
    const { accept } = await open()
    const agent = await newAgent()
    const { id } = await addServer(database.owner, agent.identity.nodeId, {
      installed: true,
      state: 'offline',
      power: 'stopped',
    })
    const peer = await agent.connectLive(accept)
    await database.owner.query('update control.agent_sessions set session_id = gen_random_uuid() where node_id = $1', [
      agent.identity.nodeId,
    ])
    agent.state(id, { state: 'running', installed: true, generation: 1 })
    expect((await peer.untilClosed()).code).toBe(4410)
    expect(await ackedSeq(agent.identity.nodeId)).toBe(0)
    expect(await stateOf(id)).toMatchObject({ state: 'unknown' })
  })
})

describe('events', () => {
  it('A6 acknowledges an event after it is stored', async () => {
    const { accept } = await open()
    const agent = await newAgent()
    const { id } = await addServer(database.owner, agent.identity.nodeId, { installed: true, power: 'stopped' })
    const peer = await agent.connectLive(accept)
    agent.state(id, { state: 'running', installed: true, generation: 1 })
    await peer.next('the acknowledgement', (message) => message.type === 'ack' && message.seq === 1)
    expect(await stateOf(id)).toEqual({ state: 'running', installed: true })
    expect(await ackedSeq(agent.identity.nodeId)).toBe(1)
  })

  it('A7 an event at or below the acknowledged number changes nothing and is acknowledged again', async () => {
    const { accept } = await open()
    const agent = await newAgent()
    const { id, ownerId } = await addServer(database.owner, agent.identity.nodeId, {
      installed: true,
      power: 'stopped',
    })
    const peer = await agent.connectLive(accept)
    const event = { kind: 'activity', serverId: id, userId: null, type: 'console.command', detail: 'say hi' } as const
    const first = agent.emit(event)
    for (let i = 0; i < 5; i += 1) peer.send({ type: 'event', event: first })
    agent.emit({ ...event, detail: 'last' })
    await peer.next('the last acknowledgement', (message) => message.type === 'ack' && message.seq === 2)
    const stored = await database.owner.query('select detail from control.activities where user_id = $1 order by id', [
      ownerId,
    ])
    expect(stored).toEqual([{ detail: { text: 'say hi' } }, { detail: { text: 'last' } }])
  })

  it('A6 every event is stored exactly once over many cut connections', async () => {
    const { accept } = await open()
    const agent = await newAgent()
    const { id, ownerId } = await addServer(database.owner, agent.identity.nodeId, {
      installed: true,
      power: 'stopped',
    })
    for (let round = 0; round < 8; round += 1) {
      const peer = await agent.connectLive(accept)
      for (let i = 0; i < 5; i += 1) {
        agent.emit({ kind: 'activity', serverId: id, userId: null, type: 'n', detail: `${round}.${i}` })
      }
      // The link breaks while some are stored, some acknowledged and some neither.
      if (round % 2 === 0) await waitFor('one acknowledgement', () => peer.received.some(({ type }) => type === 'ack'))
      peer.cut()
    }
    const last = await agent.connectLive(accept)
    stops.push(agent.obey(last))
    await waitFor('an empty outbox', () => agent.outbox.length === 0)
    const rows = await database.owner.query<{ detail: { text: string } }>(
      'select detail from control.activities where user_id = $1 order by id',
      [ownerId],
    )
    const expected = Array.from({ length: 8 }, (_, round) =>
      Array.from({ length: 5 }, (_unused, i) => `${round}.${i}`),
    ).flat()
    expect(rows.map((row) => row.detail.text)).toEqual(expected)
  })

  it('A6 a failure between effect and number stores neither; the repetition stores both', async () => {
    let broken = true
    const faults = async (name: string) => {
      if (name === 'hub.before-acknowledged' && broken) throw new Error('the database went away')
    }
    const { accept } = await open({ context: { faults } })
    const agent = await newAgent()
    const { id, ownerId } = await addServer(database.owner, agent.identity.nodeId, {
      installed: true,
      power: 'stopped',
    })
    const first = await agent.connectLive(accept)
    agent.emit({ kind: 'activity', serverId: id, userId: null, type: 'n', detail: 'once' })
    expect((await first.untilClosed()).code).toBe(1011)
    const count = () => database.owner.query('select 1 from control.activities where user_id = $1', [ownerId])
    expect(await count()).toHaveLength(0)
    broken = false
    const second = await agent.connectLive(accept)
    await second.next('the acknowledgement', ({ type }) => type === 'ack')
    expect(await count()).toHaveLength(1)
  })

  it('slows an agent down that sends faster than events are stored, and loses none', async () => {
    const { accept } = await open()
    const agent = await newAgent()
    const { id } = await addServer(database.owner, agent.identity.nodeId, { installed: true, power: 'stopped' })
    const peer = await agent.connectLive(accept)
    for (let i = 0; i < 150; i += 1) agent.emit({ kind: 'activity', serverId: id, userId: null, type: 'n', detail: '' })
    expect(peer.paused).toBe(true)
    await peer.next('the last acknowledgement', (message) => message.type === 'ack' && message.seq === 150)
    await waitFor('reading again', () => !peer.paused)
  })
})

describe('commands', () => {
  it('A4 sends a command of an earlier session again under the same id, and it runs once', async () => {
    const { accept, context, metrics } = await open()
    const agent = await newAgent()
    const { id } = await addServer(database.owner, agent.identity.nodeId, { power: 'stopped' })
    const first = await agent.connectLive(accept)
    const sent = await first.next('the command', ({ type }) => type === 'command')
    first.cut()
    const second = await agent.connectLive(accept)
    const again = await second.next('the command again', ({ type }) => type === 'command')
    expect(again).toEqual(sent)
    if (again.type !== 'command') throw new Error('no command')
    agent.run(again.command)
    agent.run(again.command)
    await waitFor('the end of the command', async () => (await commandsOf(id))[0]?.state === 'finished')
    expect(agent.executed).toEqual([again.command.id])
    await reconcileServer(id, '', { ...context, metrics })
    expect(await commandsOf(id)).toHaveLength(1)
  })

  it('A4 does not send a command twice in one session', async () => {
    const { accept, bus } = await open()
    const agent = await newAgent()
    await addServer(database.owner, agent.identity.nodeId, { power: 'stopped' })
    const peer = await agent.connectLive(accept)
    await peer.next('the command', ({ type }) => type === 'command')
    for (let i = 0; i < 5; i += 1)
      await bus.publish({ topic: 'commands-waiting', data: { nodeId: agent.identity.nodeId } })
    agent.emit({ kind: 'command.accepted', commandId: agent.identity.nodeId, serverId: agent.identity.nodeId })
    await peer.next('an acknowledgement', ({ type }) => type === 'ack')
    expect(peer.received.filter(({ type }) => type === 'command')).toHaveLength(1)
  })

  it('installs, starts by itself, and settles the order once', async () => {
    const { accept, tasks } = await open()
    const agent = await newAgent()
    const { id } = await addServer(database.owner, agent.identity.nodeId, {})
    stops.push(agent.obey(await agent.connectLive(accept)))
    await waitFor('a running server', async () => (await stateOf(id))?.state === 'running')
    await waitFor('the settlement', () => tasks.length === 1)
    expect(tasks[0]).toMatchObject({ topic: 'order-settle', payload: { serverId: id, outcome: 'installed' } })
    expect((await commandsOf(id)).map(({ kind }) => kind)).toEqual(['install', 'power'])
  })

  it('a failed installation settles the order as failed and is never tried again', async () => {
    const { accept, tasks, context, metrics } = await open()
    const agent = await newAgent()
    const { id } = await addServer(database.owner, agent.identity.nodeId, {})
    const peer = await agent.connectLive(accept)
    const message = await peer.next('the command', ({ type }) => type === 'command')
    if (message.type !== 'command') throw new Error('no command')
    agent.emit({
      kind: 'command.finished',
      commandId: message.command.id,
      serverId: id,
      ok: false,
      code: 'DISK_FULL',
      detail: 'full',
    })
    await waitFor('the settlement', () => tasks.length === 1)
    expect(tasks[0]).toMatchObject({ payload: { outcome: 'failed', reason: 'DISK_FULL' } })
    expect(await reconcileServer(id, '', { ...context, metrics })).toEqual({ do: 'nothing', because: 'needs-a-person' })
  })

  it('A11 a deletion carries a tombstone of a higher generation, frees the ports and ends the row', async () => {
    const { accept, context, metrics } = await open()
    const agent = await newAgent()
    const { nodeId } = agent.identity
    const { id } = await addServer(database.owner, nodeId, { installed: true, state: 'running' })
    await database.owner.query(
      `insert into control.allocations (id, node_id, server_id, ip, port, is_primary) values (gen_random_uuid(), $1, $2, '127.0.0.1', 25001, true)`,
      [nodeId, id],
    )
    agent.servers.set(id, { id, generation: 1, state: 'running', exit: null, installed: true, since: 1 })
    const peer = await agent.connectLive(accept)
    stops.push(agent.obey(peer))
    await database.owner.query(`update control.servers set desired = 'deleted', generation = 2 where id = $1`, [id])
    await reconcileServer(id, 'req', { ...context, metrics })
    await waitFor('the end of the server', async () => (await stateOf(id))?.state === 'deleted')
    const sent = peer.received.find((message) => message.type === 'command')
    expect(sent).toMatchObject({ command: { kind: 'delete', tombstone: true, generation: 2, requestId: 'req' } })
    expect(
      await database.owner.query('select server_id from control.allocations where node_id = $1', [nodeId]),
    ).toEqual([{ server_id: null }])
    expect(
      await database.owner.query('select 1 from control.servers where id = $1 and deleted_at is not null', [id]),
    ).toHaveLength(1)
  })
})

describe('full state', () => {
  it('A10 reports a server that the database does not know, and sends nothing for it', async () => {
    const { accept } = await open()
    const agent = await newAgent()
    const orphan = serverSpec(agent.identity.nodeId).id
    agent.servers.set(orphan, { id: orphan, generation: 3, state: 'running', exit: null, installed: true, since: 1 })
    const peer = await agent.connectLive(accept)
    agent.state(orphan, { state: 'stopping' })
    await peer.next('the acknowledgement', ({ type }) => type === 'ack')
    expect(peer.received.filter(({ type }) => type === 'command')).toEqual([])
    expect(
      await database.owner.query('select server_id, state from control.orphan_servers where node_id = $1', [
        agent.identity.nodeId,
      ]),
    ).toEqual([{ server_id: orphan, state: 'stopping' }])
  })

  it('A13 a server that its node does not list is unknown, never offline', async () => {
    const { accept } = await open()
    const agent = await newAgent()
    const { id } = await addServer(database.owner, agent.identity.nodeId, { installed: true, state: 'running' })
    await agent.connectLive(accept)
    expect(await stateOf(id)).toEqual({ state: 'unknown', installed: true })
    expect(await commandsOf(id)).toEqual([])
  })

  it('A8 takes over what the node says at its hello, and plans the difference', async () => {
    const { accept } = await open()
    const agent = await newAgent()
    const { id } = await addServer(database.owner, agent.identity.nodeId, {
      installed: true,
      state: 'unknown',
      power: 'stopped',
    })
    agent.servers.set(id, { id, generation: 1, state: 'running', exit: null, installed: true, since: 1 })
    const peer = await agent.connectLive(accept)
    expect(await peer.next('the plan', ({ type }) => type === 'command')).toMatchObject({
      command: { kind: 'power', action: 'stop' },
    })
  })

  it('A14 an agent that is silent for two beats is closed', async () => {
    let nowMs = Date.now()
    const { accept } = await open({ context: { clock: { now: () => nowMs } }, hub: { timing: { beatMs: 20 } } })
    const agent = await newAgent()
    const peer = await agent.connectLive(accept)
    await peer.next('a beat', ({ type }) => type === 'beat')
    nowMs += 26_000
    expect((await peer.untilClosed()).reason).toBe('silent')
    expect(peer.closed).toBeDefined()
  })

  it('P12 passes a revocation on to the node', async () => {
    const { accept, bus } = await open()
    const agent = await newAgent()
    const { id } = await addServer(database.owner, agent.identity.nodeId, { installed: true, power: 'stopped' })
    const peer = await agent.connectLive(accept)
    await bus.publish({
      topic: 'console-revoked',
      data: { nodeId: agent.identity.nodeId, serverId: id, userId: null, issuedBeforeMs: 5 },
    })
    expect(await peer.next('the revocation', ({ type }) => type === 'revoke')).toEqual({
      type: 'revoke',
      serverId: id,
      userId: null,
      issuedBeforeMs: 5,
    })
  })
})
