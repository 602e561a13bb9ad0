import { beforeAll, describe, expect, it } from 'vitest'
import type { AgentCommand } from '#contracts/agent/session.ts'
import { takeLease } from '../../../control-plane/servers/nodes/session-lease.ts'
import { reconcileServer } from '../../../control-plane/servers/provisioning/apply-plan.ts'
import { insertCommand, takeUndelivered } from '../../../control-plane/servers/store/command-store.ts'
import { addServer, serverSpec } from '../../factories/fleet.ts'
import { hubsOfFile } from '../../factories/hub.ts'
import { testContext, type PlatformDatabase } from '../../factories/platform-database.ts'
import { waitFor } from '../../support/wait-for.ts'

const { open, newAgent, onEnd, database: databaseOf } = hubsOfFile()
let database: PlatformDatabase
beforeAll(() => {
  database = databaseOf()
})
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

describe('commands', () => {
  it('commands follow the welcome, however long that takes, because an agent accepts none before it [A1]', async () => {
    const { accept } = await open({ hub: { timing: { renewMs: 20 } } })
    const agent = await newAgent()
    await addServer(database.owner, agent.identity.nodeId, { power: 'stopped' })
    const first = await agent.connectLive(accept)
    await first.next('the command', ({ type }) => type === 'command')
    first.cut()
    const { owner } = database
    const peer = await owner.transaction(async (tx) => {
      await tx.query('lock table control.signing_keys in access exclusive mode')
      const greeted = await agent.connect(accept)
      const waiting = `select 1 from pg_locks where relation = 'control.signing_keys'::regclass and not granted`
      await waitFor('the welcome to wait', async () => (await owner.query(waiting)).length > 0)
      // The hub goes through the leases several times meanwhile, and delivers.
      await new Promise((resolve) => setTimeout(resolve, 300))
      return greeted
    })
    await peer.next('the command', ({ type }) => type === 'command')
    const types = peer.received.map(({ type }) => type).filter((type) => type === 'welcome' || type === 'command')
    expect(types).toEqual(['welcome', 'command'])
  })

  it('A4, T53 sends a command of an earlier session again under the same id, and it runs once', async () => {
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

  it('A4 a session that lost its lease takes no command away from the one that has it', async () => {
    const agent = await newAgent()
    const { nodeId } = agent.identity
    const { id } = await addServer(database.owner, nodeId, { installed: true, state: 'offline', power: 'stopped' })
    const { ids } = testContext(database.db)
    const [frozen, present] = [ids.next(), ids.next()]
    const nowMs = Date.now()
    for (const sessionId of [frozen, present])
      await database.db.transaction((tx) => takeLease(tx, { nodeId, sessionId, holder: 'test', nowMs }))
    const command = {
      id: ids.next(),
      serverId: id,
      generation: 2,
      requestId: 'r',
      kind: 'delete',
      tombstone: true,
    } as const
    await insertCommand(database.db, { nodeId, command, requestedBy: null }, nowMs)
    expect(await takeUndelivered(database.db, { nodeId, sessionId: frozen }, nowMs)).toEqual({
      commands: [],
      unreadable: [],
    })
    // An hour earlier by the clock of another control plane: a command belongs to a session and not to a time.
    expect(await takeUndelivered(database.db, { nodeId, sessionId: present }, nowMs - 3_600_000)).toEqual({
      commands: [command],
      unreadable: [],
    })
    expect(await takeUndelivered(database.db, { nodeId, sessionId: present }, nowMs)).toEqual({
      commands: [],
      unreadable: [],
    })
  })

  it('A19 ends a command that no agent understands, gives its order back, and sends the others', async () => {
    const { accept, tasks } = await open()
    const agent = await newAgent()
    const { id: odd } = await addServer(database.owner, agent.identity.nodeId, {})
    const { id: good } = await addServer(database.owner, agent.identity.nodeId, {})
    const { ids } = testContext(database.db)
    const spec = { ...serverSpec(odd, 1), startup: { argv: Array<string>(65).fill('x') } }
    const command = { id: ids.next(), serverId: odd, generation: 1, requestId: 'r', kind: 'install', spec } as const
    await insertCommand(database.db, { nodeId: agent.identity.nodeId, command, requestedBy: null }, Date.now())
    onEnd(agent.obey(await agent.connectLive(accept)))
    await waitFor('the good one to run', async () => (await stateOf(good))?.state === 'running')
    await waitFor('the end of the odd one', async () => (await commandsOf(odd))[0]?.state === 'failed')
    await waitFor('both settlements', () => tasks.length >= 2)
    expect(tasks.map(({ payload }) => payload)).toContainEqual({
      serverId: odd,
      outcome: 'failed',
      reason: 'INVALID_COMMAND',
    })
    expect(agent.executed.length).toBeGreaterThan(0)
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

  it('a command installs, starts automatically, and settles the order once', async () => {
    const { accept, tasks } = await open()
    const agent = await newAgent()
    const { id } = await addServer(database.owner, agent.identity.nodeId, {})
    onEnd(agent.obey(await agent.connectLive(accept)))
    await waitFor('a running server', async () => (await stateOf(id))?.state === 'running')
    await waitFor('the settlement', () => tasks.length === 1)
    expect(tasks[0]).toMatchObject({ topic: 'order-settle', payload: { serverId: id, outcome: 'installed' } })
    expect((await commandsOf(id)).map(({ kind }) => kind)).toEqual(['install', 'power'])
  })

  it('a failed installation settles the order as failed and is never retried', async () => {
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

  it('an update without a change of state is recorded as done, and not sent again', async () => {
    const { accept, context, metrics } = await open()
    const agent = await newAgent()
    const { id } = await addServer(database.owner, agent.identity.nodeId, {
      installed: true,
      state: 'offline',
      power: 'stopped',
      generation: 3,
      observedGeneration: 2,
    })
    agent.servers.set(id, { id, generation: 2, state: 'offline', exit: null, installed: true, since: 1 })
    const peer = await agent.connectLive(accept)
    const message = await peer.next('the update', ({ type }) => type === 'command')
    if (message.type !== 'command') throw new Error('no command')
    agent.emit({
      kind: 'command.finished',
      commandId: message.command.id,
      serverId: id,
      ok: true,
      code: 'OK',
      detail: '',
    })
    await waitFor('the end of the command', async () => (await commandsOf(id))[0]?.state === 'finished')
    expect(await reconcileServer(id, '', { ...context, metrics })).toEqual({ do: 'nothing', because: 'converged' })
    expect(await commandsOf(id)).toHaveLength(1)
  })

  it('A11 a deletion carries a tombstone of a higher generation, frees the ports and ends the row', async () => {
    // The rounds over all servers of the node stand still: one of them would find the wish before the request that has it.
    const { accept, context, metrics } = await open({ hub: { reconcileNode: () => Promise.resolve() } })
    const agent = await newAgent()
    const { nodeId } = agent.identity
    const { id } = await addServer(database.owner, nodeId, { installed: true, state: 'running' })
    await database.owner.query(
      `insert into control.allocations (id, node_id, server_id, ip, port, is_primary) values (gen_random_uuid(), $1, $2, '127.0.0.1', 25001, true)`,
      [nodeId, id],
    )
    agent.servers.set(id, { id, generation: 1, state: 'running', exit: null, installed: true, since: 1 })
    const peer = await agent.connectLive(accept)
    onEnd(agent.obey(peer))
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

describe('a node that reports about servers of another (case 48)', () => {
  const rowsOf = async (serverId: string) => ({
    server: await database.owner.query('select s::text from control.servers s where id = $1', [serverId]),
    state: await database.owner.query('select t::text from control.server_state t where server_id = $1', [serverId]),
    commands: await database.owner.query('select c::text from control.commands c where server_id = $1', [serverId]),
    activities: await database.owner.query('select a::text from control.activities a where server_id = $1', [serverId]),
  })

  it('the node changes nothing of them: no state, no command, no activity, no order', async () => {
    const { accept, tasks } = await open()
    const [owner, stranger] = [await newAgent(), await newAgent()]
    const { id } = await addServer(database.owner, owner.identity.nodeId, { power: 'stopped' })
    const home = await owner.connectLive(accept)
    const sent = await home.next('the command', ({ type }) => type === 'command')
    if (sent.type !== 'command') throw new Error('no command')
    const before = await rowsOf(id)
    const peer = await stranger.connectLive(accept)
    const commandId = sent.command.id
    stranger.emit({ kind: 'command.accepted', commandId, serverId: id })
    stranger.emit({ kind: 'command.finished', commandId, serverId: id, ok: true, code: '', detail: '' })
    stranger.emit({ kind: 'activity', serverId: id, userId: null, type: 'forged', detail: 'forged' })
    stranger.servers.set(id, { id, generation: 9, state: 'running', exit: null, installed: true, since: 1 })
    stranger.state(id, { state: 'stopping' })
    await waitFor('the last acknowledgement', () =>
      peer.received.some((message) => message.type === 'ack' && message.seq >= 4),
    )
    expect(await rowsOf(id)).toEqual(before)
    expect(tasks).toEqual([])
    expect(peer.received.filter(({ type }) => type === 'command')).toEqual([])
  })

  it('for its own servers it changes only observed values: neither suspension, owner, price, time nor limits', async () => {
    const { accept } = await open()
    const agent = await newAgent()
    const { id } = await addServer(database.owner, agent.identity.nodeId, { installed: true, power: 'stopped' })
    await database.owner.query(
      `update control.servers set suspended = true, suspended_reason = 'unpaid' where id = $1`,
      [id],
    )
    const before = (await rowsOf(id)).server
    const wish = {
      suspended: false,
      suspendedReason: null,
      suspended_reason: null,
      desired: 'deleted',
      memoryMib: 65_536,
      ownerId: agent.identity.nodeId,
      owner_id: agent.identity.nodeId,
      monthlyPriceFt: 0,
      monthly_price_ft: 0,
      expiresAtMs: 4_102_444_800_000,
      expires_at: '2100-01-01T00:00:00Z',
      nodeId: agent.identity.nodeId,
    }
    const seen = { id, generation: 1, state: 'offline', exit: null, installed: true, since: 1, ...wish } as const
    agent.servers.set(id, seen)
    const peer = await agent.connectLive(accept)
    agent.state(id, { ...seen, since: 2 })
    await waitFor('the acknowledgement', () =>
      peer.received.some((message) => message.type === 'ack' && message.seq >= 1),
    )
    expect((await rowsOf(id)).state).toHaveLength(1)
    expect((await rowsOf(id)).server).toEqual(before)
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

  it('A13, T57 a server missing from its node’s list is unknown, never offline', async () => {
    const { accept } = await open()
    const agent = await newAgent()
    const { id } = await addServer(database.owner, agent.identity.nodeId, { installed: true, state: 'running' })
    await agent.connectLive(accept)
    expect(await stateOf(id)).toEqual({ state: 'unknown', installed: true })
    expect(await commandsOf(id)).toEqual([])
  })

  it('A8 the control plane stores the state in a node’s hello, and plans the difference', async () => {
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

  it('A14 an agent that misses two heartbeats is closed', async () => {
    let nowMs = Date.now()
    const { accept } = await open({ context: { clock: { now: () => nowMs } }, hub: { timing: { beatMs: 20 } } })
    const agent = await newAgent()
    const peer = await agent.connectLive(accept)
    await peer.next('a beat', ({ type }) => type === 'beat')
    nowMs += 26_000
    expect((await peer.untilClosed()).reason).toBe('silent')
    expect(peer.closed).toBeDefined()
  })

  it('P12 a revocation is forwarded to the node', async () => {
    const { accept, bus } = await open()
    const agent = await newAgent()
    const { id } = await addServer(database.owner, agent.identity.nodeId, { installed: true, power: 'stopped' })
    const peer = await agent.connectLive(accept)
    await bus.publish({
      topic: 'console-revoked',
      data: { nodeId: agent.identity.nodeId, serverId: id, userId: null, sessionId: null, issuedBeforeMs: 5 },
    })
    expect(await peer.next('the revocation', ({ type }) => type === 'revoke')).toEqual({
      type: 'revoke',
      serverId: id,
      userId: null,
      sessionId: null,
      issuedBeforeMs: 5,
    })
  })
})
