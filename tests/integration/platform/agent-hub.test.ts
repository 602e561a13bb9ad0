import { sign } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { AGENT_PROOF_MS, handshakeText } from '#contracts/agent/session.ts'
import { OVERLOAD } from '#contracts/overload.ts'
import { listActivities } from '../../../control-plane/messages/notices/read-notices.ts'
import { addServer } from '../../factories/fleet.ts'
import { hubsOfFile } from '../../factories/hub.ts'
import type { PlatformDatabase } from '../../factories/platform-database.ts'
import { FakeAgent, type AgentIdentity } from '../../support/fake-agent.ts'
import { socketPair } from '../../support/socket-pair.ts'
import { waitFor } from '../../support/wait-for.ts'

const { open, newAgent, onEnd, database: databaseOf } = hubsOfFile()
let database: PlatformDatabase
beforeAll(() => {
  database = databaseOf()
})
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
/** Connections without a hello stay for as long as a test takes. */
const LASTING = { hub: { timing: { helloMs: 600_000 } } }

describe('opening a session', () => {
  it('A1 the control plane sends a challenge first, and welcomes the agent that signs it', async () => {
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

  it('A1 two challenges are never the same, so a signature cannot be replayed', async () => {
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
  ])('a hello with %s is refused and changes nothing', async (_name, options, code) => {
    const { accept } = await open()
    const agent = await newAgent()
    const peer = await agent.connect(accept, options)
    expect(await peer.next('the refusal', ({ type }) => type === 'refused')).toMatchObject({ code })
    expect((await peer.untilClosed()).code).toBe(4401)
    expect(
      await database.owner.query('select 1 from control.agent_sessions where node_id = $1', [agent.identity.nodeId]),
    ).toEqual([])
  })

  it('another node’s key is refused', async () => {
    const { accept } = await open()
    const [mine, other] = [await newAgent(), await newAgent()]
    const thief = new FakeAgent({ nodeId: other.identity.nodeId, privateKey: mine.identity.privateKey })
    const peer = await thief.connect(accept)
    expect(await peer.next('the refusal', ({ type }) => type === 'refused')).toMatchObject({ code: 'BAD_SIGNATURE' })
  })

  it('A9 an agent that has served a higher epoch is refused', async () => {
    const { accept } = await open()
    const agent = await newAgent()
    agent.epoch = 2
    const peer = await agent.connect(accept)
    expect(await peer.next('the refusal', ({ type }) => type === 'refused')).toMatchObject({ code: 'EPOCH' })
  })

  it.each([
    ['an event', { type: 'beat', nowMs: 1 }],
    ['an unknown message', { type: 'rm -rf' }],
  ])('a connection that sends %s before its hello is closed', async (_name, message) => {
    const { accept } = await open()
    const agent = await newAgent()
    const { socket, peer } = socketPair()
    accept(socket)
    peer.send(message)
    expect((await peer.untilClosed()).code).toBe(4400)
    expect(await ackedSeq(agent.identity.nodeId)).toBe(0)
  })

  it.each(['https://site.test', 'null', ''])(
    'A21 a web page is refused, even of the site: Origin %j',
    async (origin) => {
      const { hub } = await open()
      const asked = { path: '', query: new URLSearchParams(), origin, address: '192.0.2.1' }
      expect(await hub.route.answer(asked)).toEqual({ refuse: 403, reason: 'origin' })
    },
  )

  it('an address may have 16 unauthenticated connections, and all together 64 [case 135]', async () => {
    const { hub, accept } = await open(LASTING)
    const answerTo = (address: string) =>
      hub.route.answer({ path: '', query: new URLSearchParams(), origin: undefined, address })
    const fill = (address: string, count: number) => {
      const pairs = Array.from({ length: count }, () => socketPair(address))
      for (const { socket } of pairs) accept(socket)
      return pairs
    }
    const [first] = fill('192.0.2.1', 16)
    expect(await answerTo('192.0.2.1')).toMatchObject({ refuse: 503 })
    expect(await answerTo('192.0.2.2')).toHaveProperty('accept')
    first?.peer.cut()
    await waitFor('room', async () => 'accept' in (await answerTo('192.0.2.1')))
    for (let net = 1; net <= 3; net += 1) fill(`2001:db8:0:${net}::1`, 16)
    expect(await answerTo('2001:db8:0:1:ffff::2')).toMatchObject({ refuse: 503 })
    expect(await answerTo('192.0.2.3')).toHaveProperty('accept')
    fill('192.0.2.4', 1)
    expect(await answerTo('192.0.2.3')).toMatchObject({ refuse: 503 })
    const agent = await newAgent()
    expect((await agent.connectLive(accept)).closed).toBeUndefined()
  })

  it('A25 strangers who hold every place cut no node off that proves itself in its handshake [S2, case 137]', async () => {
    const { hub, accept } = await open(LASTING)
    for (let at = 0; at < OVERLOAD.gateway.agents.unproven; at += 1) accept(socketPair(`192.0.2.${at >> 4}`).socket)
    const answerTo = (proof: string | undefined, address = '198.51.100.1') =>
      hub.route.answer({ path: '', query: new URLSearchParams(), origin: undefined, proof, address })
    const [agent, other] = [await newAgent(), await newAgent()]
    const proofOf = ({ nodeId }: AgentIdentity, { atMs = Date.now(), key = agent.identity.privateKey } = {}) =>
      `${nodeId}.${atMs}.${sign(null, Buffer.from(handshakeText(nodeId, atMs)), key).toString('base64url')}`
    expect(await answerTo(undefined)).toMatchObject({ refuse: 503 })
    expect(await answerTo(proofOf(other.identity))).toMatchObject({ refuse: 503 })
    expect(await answerTo(proofOf(agent.identity, { atMs: Date.now() - 2 * AGENT_PROOF_MS }))).toMatchObject({
      refuse: 503,
    })
    expect(await answerTo(`${agent.identity.nodeId}.${Date.now()}.x`)).toMatchObject({ refuse: 503 })
    for (let place = 0; place < OVERLOAD.gateway.agents.provenPerNode; place += 1) {
      const answer = await answerTo(proofOf(agent.identity))
      expect(answer).toHaveProperty('accept')
      if ('accept' in answer) answer.accept(socketPair('198.51.100.1').socket)
    }
    expect(await answerTo(proofOf(agent.identity))).toMatchObject({ refuse: 503 })
    expect(await answerTo(proofOf(other.identity, { key: other.identity.privateKey }))).toHaveProperty('accept')
  })

  it('proofs that an address sends are checked at a bounded rate', async () => {
    // Time stands still: a busy machine needs longer for the checks than one more of them takes to be allowed.
    const atMs = Date.now()
    const { hub } = await open({ ...LASTING, context: { clock: { now: () => atMs } } })
    const agent = await newAgent()
    for (let at = 0; at < OVERLOAD.gateway.agents.unproven; at += 1) hub.accept(socketPair(`192.0.2.${at >> 4}`).socket)
    const { nodeId } = agent.identity
    const answerTo = (proof: string, address: string) =>
      hub.route.answer({ path: '', query: new URLSearchParams(), origin: undefined, proof, address })
    for (let at = 0; at < OVERLOAD.gateway.agentProofs.burst; at += 1)
      await answerTo(`${nodeId}.${atMs}.forged`, '198.51.100.2')
    const signature = sign(null, Buffer.from(handshakeText(nodeId, atMs)), agent.identity.privateKey)
    const proof = `${nodeId}.${atMs}.${signature.toString('base64url')}`
    expect(await answerTo(proof, '198.51.100.2')).toMatchObject({ refuse: 503 })
    expect(await answerTo(proof, '198.51.100.3')).toHaveProperty('accept')
  })

  it('a connection without a hello in time is closed', async () => {
    const { accept } = await open({ hub: { timing: { helloMs: 30 } } })
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

  it('a command typed in the panel is shown with its address, way, server and text, and a crash with its server alone', async () => {
    const { accept } = await open()
    const agent = await newAgent()
    const { id, ownerId } = await addServer(database.owner, agent.identity.nodeId, {
      installed: true,
      power: 'stopped',
    })
    const peer = await agent.connectLive(accept)
    const command = { type: 'server:console.command', detail: 'say hi', address: '203.0.113.7', way: 'panel' } as const
    agent.emit({ kind: 'activity', serverId: id, userId: ownerId, ...command })
    agent.emit({ kind: 'activity', serverId: id, userId: null, type: 'server:crashed', detail: 'exit 1' })
    await peer.next('the last acknowledgement', (message) => message.type === 'ack' && message.seq === 2)
    const [server] = await database.owner.query<{ name: string }>('select name from control.servers where id = $1', [
      id,
    ])
    const lines = await listActivities(database.db, { userId: ownerId })
    const named = { id, name: server?.name }
    expect(lines).toMatchObject([
      { type: 'server:crashed', ipAddress: '', way: null, server: named, detail: '' },
      { type: 'server:console.command', ipAddress: '203.0.113.7', way: 'panel', server: named, detail: 'say hi' },
    ])
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
    onEnd(agent.obey(last))
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

  it('an event is not left out because the database failed once: the agent repeats it', async () => {
    let failures = 1
    const faults = async (point: string) => {
      if (point !== 'hub.before-acknowledged' || failures === 0) return
      failures -= 1
      throw new Error('the connection to the database was lost')
    }
    const { accept, metrics } = await open({ context: { faults } })
    const agent = await newAgent()
    const { id } = await addServer(database.owner, agent.identity.nodeId, { installed: true, power: 'stopped' })
    const first = await agent.connectLive(accept)
    agent.emit({ kind: 'activity', serverId: id, userId: null, type: 'n', detail: 'kept' })
    expect((await first.untilClosed()).code).toBe(1011)
    const second = await agent.connectLive(accept)
    await second.next('the acknowledgement', ({ type }) => type === 'ack')
    const details = await database.owner.query('select detail from control.activities where server_id = $1', [id])
    expect(details).toEqual([{ detail: { text: 'kept' } }])
    expect(await metrics.registry.getSingleMetricAsString('bakter_agent_alarms_total')).not.toContain(
      'event-unreadable',
    )
  })

  it.each([
    ['of a kind that is not known', { kind: 'made.up', serverId: 'x' }],
    ['with a text that is too long', { kind: 'activity', userId: null, type: 'n', detail: 'x'.repeat(501) }],
    ['with half a character', { kind: 'activity', userId: null, type: 'n', detail: 'say \uD83D' }],
    ['with a NUL', { kind: 'activity', userId: null, type: 'n', detail: 'say \0' }],
    [
      'with a number that no column holds',
      { kind: 'server.state', requestId: null, change: { generation: Number.MAX_SAFE_INTEGER } },
    ],
  ])('A17 leaves an event %s out, with an alarm, and takes the ones after it', async (_name, odd) => {
    const { accept, metrics } = await open()
    const agent = await newAgent()
    const { id } = await addServer(database.owner, agent.identity.nodeId, { installed: true, power: 'stopped' })
    const peer = await agent.connectLive(accept)
    const { change, ...event } = { change: {}, ...odd }
    const server = { id, generation: 1, state: 'running', exit: null, installed: true, since: 1, ...change }
    peer.send({ type: 'event', event: { serverId: id, server, ...event, seq: 1, atMs: Date.now() } })
    peer.send({
      type: 'event',
      event: { kind: 'activity', serverId: id, userId: null, type: 'n', detail: 'next', seq: 2, atMs: Date.now() },
    })
    await peer.next('the second acknowledgement', (message) => message.type === 'ack' && message.seq === 2)
    expect(peer.closed).toBeUndefined()
    const details = await database.owner.query('select detail from control.activities where server_id = $1', [id])
    expect(details).toEqual([{ detail: { text: 'next' } }])
    expect(await metrics.registry.getSingleMetricAsString('bakter_agent_alarms_total')).toContain(
      'kind="event-unreadable"} 1',
    )
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
