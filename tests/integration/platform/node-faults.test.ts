import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'

import type { OutboxLimits } from '../../../agents/connection/outbox-bound.ts'
import { listNotifications } from '../../../control-plane/messages/notices/read-notices.ts'
import { reconcileAll } from '../../../control-plane/servers/provisioning/reconcile-loop.ts'
import { requestPower } from '../../../control-plane/servers/access/request-power.ts'
import { systemIds } from '#platform/ids.ts'
import { forceMove } from '../../../control-plane/servers/provisioning/force-move.ts'
import { requestDeletion, setSuspended } from '../../../control-plane/servers/store/server-store.ts'
import { addServer } from '../../factories/fleet.ts'
import { openHub, type TestHub } from '../../factories/hub.ts'
import { silentLog } from '#platform/logger.ts'
import { platformDatabase, type PlatformDatabase } from '../../factories/platform-database.ts'
import { LinkedAgent } from '../../support/linked-agent.ts'
import { expectInvariants } from '../../support/server-invariants.ts'
import { waitFor } from '../../support/wait-for.ts'

// Faults 22, 25, 28 and orphans: the agent's own code on the fake runtime, the hub's own code on a real database, time by
// the test.
const HOUR_MS = 3_600_000
let database: PlatformDatabase
let hub: TestHub
let agents: LinkedAgent[]
let warned: { fields: object; message: string }[]

beforeAll(async () => {
  database = await platformDatabase(40)
})
afterAll(() => database.close())
beforeEach(async () => {
  agents = []
  warned = []
  const log = Object.assign(Object.create(silentLog) as typeof silentLog, {
    warn: (fields: object, message: string) => void warned.push({ fields, message }),
  })
  hub = await openHub(database, { context: { log } })
})
afterEach(async () => {
  for (const agent of agents) agent.close()
  await hub.close()
  await database.owner.query('delete from control.outbox')
})

const enrol = async (limits?: OutboxLimits): Promise<LinkedAgent> => {
  const agent = await LinkedAgent.enrol(database.owner, hub.accept, limits)
  agents.push(agent)
  await agent.until('a session', () => agent.connection.isReady)
  return agent
}
const reconcile = (nodeId: string) => reconcileAll({ ...hub.context, metrics: hub.metrics }, nodeId)
const newServer = async (agent: LinkedAgent) => {
  const { id: _id, identifier: _identifier, generation: _generation, ...spec } = agent.rig.spec()
  const server = await addServer(database.owner, agent.nodeId, { spec })
  await reconcile(agent.nodeId)
  await agent.until('the server to run', async () => (await stored(server.id)).state === 'running')
  const open = `control.commands where server_id = $1 and state in ('pending', 'accepted')`
  await agent.until('its start to be answered', async () => (await count(open, [server.id])) === 0)
  return server
}
const stored = async (serverId: string): Promise<{ state: string; node_id: string }> => {
  const [row] = await database.owner.query<{ state: string; node_id: string }>(
    'select o.state, s.node_id from control.servers s join control.server_state o on o.server_id = s.id where s.id = $1',
    [serverId],
  )
  if (row === undefined) throw new Error('There is no such server.')
  return row
}
const count = async (text: string, values: unknown[]): Promise<number> => {
  const [row] = await database.owner.query<{ n: bigint }>(`select count(*) as n from ${text}`, values)
  return Number(row?.n)
}
const starts = (agent: LinkedAgent): number => agent.rig.world.begun.filter((task) => !task.includes('-i')).length
type Check = { on: LinkedAgent[]; begun: number; asked: number; suspended?: boolean }
const check = async (serverId: string, where: Check) => {
  // The state that a command leads to is told before the command's own end, which may take time of the node.
  const open = `control.commands where server_id = $1 and state not in ('finished', 'failed', 'superseded')`
  await waitFor('every command to have an end', async () => {
    for (const agent of where.on) await agent.rig.timers.advance(500)
    return (await count(open, [serverId])) === 0
  })
  const rows = await database.owner.query<{ id: string; state: string }>(
    `select id, state from control.commands where server_id = $1 and state <> 'superseded'`,
    [serverId],
  )
  expectInvariants({
    running: where.on.reduce((sum, agent) => sum + agent.programs, 0),
    begun: where.begun,
    asked: where.asked,
    told: (await stored(serverId)).state as 'running',
    suspended: where.suspended ?? false,
    commands: rows.map(({ id }) => id),
    answers: rows.flatMap(({ id, state }) =>
      state === 'finished' || state === 'failed' ? [{ commandId: id, ok: state === 'finished' }] : [],
    ),
  })
}

it('fault 22: an hour without the control plane: the server runs and crashes by its own rules, and all is told once', async () => {
  const agent = await enrol()
  const { id, ownerId } = await newServer(agent)
  agent.link.cut()
  await agent.rig.timers.advance(HOUR_MS / 2)
  expect(agent.programs).toBe(1)
  await agent.rig.server(id).writeLine('crash')
  await agent.rig.timers.advance(HOUR_MS / 2)
  expect(agent.rig.state(id)).toBe('running')
  expect(agent.outbox.pending).toBeGreaterThan(0)
  agent.link.join()
  await agent.until('all events to be stored', () => agent.connection.isReady && agent.outbox.pending === 0)
  expect(await count(`control.activities where server_id = $1 and type = 'server:crashed'`, [id])).toBe(1)
  expect(await count(`control.activities where user_id = $1`, [ownerId])).toBe(1)
  await reconcile(agent.nodeId)
  await check(id, { on: [agent], begun: starts(agent), asked: 2 })
})

it('fault 22: what a flood pushes out of a full outbox is counted exactly, and no number is missing', async () => {
  const agent = await enrol({ events: 60, bytes: 1_000_000 })
  const { id } = await newServer(agent)
  agent.link.cut()
  for (let at = 0; at < 500; at += 1) {
    const said = {
      kind: 'activity',
      serverId: id,
      userId: null,
      type: 'server:console.command',
      detail: `${at}`,
    } as const
    agent.connection.emit(said)
  }
  expect(agent.outbox.pending).toBeLessThanOrEqual(60)
  const { dropped } = agent.outbox
  agent.link.join()
  await agent.until('all events to be stored', () => agent.connection.isReady && agent.outbox.pending === 0)
  expect((await count('control.activities where server_id = $1', [id])) + dropped).toBe(500)
  const told = await hub.metrics.registry.metrics()
  expect(told).toContain(`bakter_agent_events_dropped_total ${dropped}\n`)
  expect(told).toMatch(/agent_alarms_total\{kind="events-dropped"[^}]*\} 1\n/)
  expect(told).not.toContain('event-gap')
})

const computerOf = async ({ nodeId }: LinkedAgent): Promise<string> => {
  const [row] = await database.owner.query<{ computer_id: string }>(
    'select computer_id from control.nodes where id = $1',
    [nodeId],
  )
  return row?.computer_id ?? ''
}
/** The lease of a node that is cut off runs out. */
const loseLease = ({ nodeId }: LinkedAgent) =>
  database.owner.query(
    "update control.agent_sessions set renewed_at = renewed_at - interval '1 minute' where node_id = $1",
    [nodeId],
  )
const ownerOf = async (serverId: string) => {
  const rows = await database.owner.query<{ owner_id: string; name: string }>(
    'select owner_id, name from control.servers where id = $1',
    [serverId],
  )
  const [row] = rows
  if (!row) throw new Error('There is no such server.')
  return row
}
const staff = { userId: systemIds.next(), address: '192.0.2.9', isAdmin: true }

it('fault 25: a server that was moved by force is fenced where it was, and runs once [A15, S-1 to S-4]', async () => {
  const [old, other] = [await enrol(), await enrol()]
  const { id } = await newServer(old)
  const reason = 'The node has burnt down.'
  const move = async (to: LinkedAgent) =>
    forceMove(hub.context, { caller: staff, serverId: id, computerId: await computerOf(to), reason, requestId: 'move' })
  expect(await move(other)).toEqual({ ok: false, code: 'INVALID_STATE' })
  old.link.cut()
  // It is on its way to the lost node, and must not be carried out there when the node is back.
  const restart = await requestPower(hub.context, { caller: staff, serverId: id, action: 'restart', requestId: 'r' })
  await loseLease(old)
  expect(await move(old)).toEqual({ ok: false, code: 'INVALID_STATE' })
  expect(await move(other)).toEqual({ ok: true, nodeId: other.nodeId, generation: 2 })
  await reconcile(other.nodeId)
  await other.until('the server to run elsewhere', async () => (await stored(id)).state === 'running')
  old.link.join()
  await old.until('the old copy to end', () => old.connection.isReady && old.programs === 0)
  expect(old.rig.server(id).core.record.fencedAt).toBe(2)
  expect(await old.rig.server(id).power('start')).toMatchObject({ ok: false, code: 'MOVED' })
  await old.rig.timers.advance(HOUR_MS)
  await waitFor(
    'the orphan to be known',
    async () => (await count('control.orphan_servers where node_id = $1 and server_id = $2', [old.nodeId, id])) === 1,
  )
  expect(await hub.metrics.registry.getSingleMetricAsString('bakter_agent_alarms_total')).toContain('kind="fenced"')
  await check(id, { on: [old, other], begun: starts(other), asked: 1 })
  expect(starts(old)).toBe(1)
  expect(
    await count(`control.commands where id = $1 and state = 'superseded'`, [restart.ok ? restart.commandId : '']),
  ).toBe(1)
  const told = `control.activities where server_id = $1 and user_id = $2 and type = 'server:moved-by-force'
    and detail ->> 'reason' = $3 and detail ->> 'from' = $4 and detail ->> 'to' = $5`
  expect(await count(told, [id, staff.userId, reason, old.nodeId, other.nodeId])).toBe(1)
  const { owner_id: ownerId, name } = await ownerOf(id)
  const toldOwner = `control.activities where server_id = $1 and user_id = $2 and type = 'server:moved-by-force'
    and detail = jsonb_build_object('reason', $3::text) and ip_address = ''`
  expect(await count(toldOwner, [id, ownerId, reason])).toBe(1)
  expect(await listNotifications(database.db, { userId: ownerId })).toMatchObject([
    { text: 'server.moved', data: { sid: id, name, reason } },
  ])
  expect(await count('control.allocations where server_id = $1 and node_id = $2', [id, other.nodeId])).toBe(1)
  expect(await count('control.allocations where server_id = $1 and node_id = $2', [id, old.nodeId])).toBe(0)
})

it('fault 25: nothing is moved to a node that is full, away or gone, nor what is deleted', async () => {
  const [old, other] = [await enrol(), await enrol()]
  const { id } = await newServer(old)
  old.link.cut()
  await loseLease(old)
  const move = (computerId: string) =>
    forceMove(hub.context, { caller: staff, serverId: id, computerId, reason: 'A test of refusals.', requestId: 'r' })
  const computerId = await computerOf(other)
  expect(await move(systemIds.next())).toEqual({ ok: false, code: 'NO_CAPACITY' })
  await database.owner.query('update cms_api.computers set available_memory_mib = 8 where id = $1', [computerId])
  expect(await move(computerId)).toEqual({ ok: false, code: 'NO_CAPACITY' })
  await database.owner.query(
    'update cms_api.computers set available_memory_mib = 16384, port_count = 0 where id = $1',
    [computerId],
  )
  expect(await move(computerId)).toEqual({ ok: false, code: 'NO_FREE_PORT' })
  await database.owner.query('update cms_api.computers set port_count = 100 where id = $1', [computerId])
  other.link.cut()
  await loseLease(other)
  expect(await move(computerId)).toEqual({ ok: false, code: 'NO_CAPACITY' })
  await requestDeletion(database.owner, id)
  expect(await move(computerId)).toEqual({ ok: false, code: 'INVALID_STATE' })
  expect((await stored(id)).node_id).toBe(old.nodeId)
})

it('a suspension during an outage is carried out after it, and nothing starts it again [S-1 to S-5]', async () => {
  const agent = await enrol()
  const { id } = await newServer(agent)
  agent.link.cut()
  await setSuspended(database.owner, id, 'unpaid')
  await agent.rig.timers.advance(HOUR_MS)
  expect(agent.programs).toBe(1)
  agent.link.join()
  await agent.until('the server to end', () => agent.connection.isReady && agent.programs === 0)
  await reconcile(agent.nodeId)
  await agent.until('the state to be told', async () => (await stored(id)).state === 'offline')
  expect(await agent.rig.server(id).power('start')).toMatchObject({ ok: false, code: 'SUSPENDED' })
  await agent.rig.timers.advance(HOUR_MS)
  await check(id, { on: [agent], begun: starts(agent), asked: 1, suspended: true })
})

it('A10 a server that the database does not know is reported, runs on, and can be taken back by nobody but staff', async () => {
  const agent = await enrol()
  const { id } = await newServer(agent)
  agent.link.cut()
  // A database that was restored from before the order.
  await database.owner.transaction(async (tx) => {
    await tx.query('select 1 from control.servers where id = $1 for update', [id])
    for (const table of ['commands', 'activities', 'server_state'])
      await tx.query(`delete from control.${table} where server_id = $1`, [id])
    await tx.query('delete from control.servers where id = $1', [id])
  })
  agent.link.join()
  await agent.until('a session', () => agent.connection.isReady)
  await reconcile(agent.nodeId)
  await agent.rig.timers.advance(HOUR_MS)
  expect(await count('control.orphan_servers where server_id = $1', [id])).toBe(1)
  expect(agent.programs).toBe(1)
  expect(agent.rig.state(id)).toBe('running')
})

/** A hello that was seconds on its way, through a pause of the machine: not the clock that the test has set. */
const isOfBusyMachine = (fields: { offsetMs?: number }) => {
  const offMs = Math.abs(fields.offsetMs ?? 0)
  return offMs > 5_000 && offMs < 60_000
}

it.each([HOUR_MS, -HOUR_MS])(
  'fault 28: a clock that is %i ms off is told, and changes neither order nor state',
  async (offsetMs) => {
    const agent = await enrol()
    const { id } = await newServer(agent)
    expect(warned.filter(({ fields }) => !isOfBusyMachine(fields))).toEqual([])
    agent.rig.clock.set(agent.rig.clock.now() + offsetMs)
    await agent.rig.server(id).writeLine('say after the clock was set')
    agent.link.cut()
    await agent.rig.timers.advance(1_000)
    agent.link.join()
    await agent.until('a session', () => agent.connection.isReady)
    const said = warned.filter(({ message }) => message === 'the clock of a node is wrong')
    expect(said.find(({ fields }) => !isOfBusyMachine(fields))?.fields).toMatchObject({ nodeId: agent.nodeId })
    const [node] = await database.owner.query<{ clock_offset_ms: bigint | number }>(
      'select clock_offset_ms from control.nodes where id = $1',
      [agent.nodeId],
    )
    expect(Math.abs(Number(node?.clock_offset_ms) - offsetMs)).toBeLessThan(60_000)
    const { lines } = agent.rig.server(id).core.console.after(0, 1_000)
    expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1))
    expect(lines.at(-1)?.text).toContain('after the clock was set')
    await check(id, { on: [agent], begun: starts(agent), asked: 1 })
  },
)

it('A11 a deletion that was asked for during an outage is carried out after it, and only once', async () => {
  const agent = await enrol()
  const { id } = await newServer(agent)
  agent.link.cut()
  await requestDeletion(database.owner, id)
  agent.link.join()
  await agent.until('a session', () => agent.connection.isReady)
  await reconcile(agent.nodeId)
  await agent.until('the deletion', async () => (await stored(id)).state === 'deleted')
  expect(agent.programs).toBe(0)
  expect(await count(`control.commands where server_id = $1 and kind = 'delete'`, [id])).toBe(1)
})
