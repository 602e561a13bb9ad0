import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { AGENT_SHUTDOWN_REQUEST } from '#contracts/agent/session.ts'
import { reconcileAll } from '../../../control-plane/servers/provisioning/reconcile-loop.ts'
import { requestDeletion, setSuspended } from '../../../control-plane/servers/store/server-store.ts'
import { addNode, addServer } from '../../factories/fleet.ts'
import { openHub, type TestHub } from '../../factories/hub.ts'
import { platformDatabase, type PlatformDatabase } from '../../factories/platform-database.ts'
import { FakeAgent } from '../../support/fake-agent.ts'
import { LinkedAgent } from '../../support/linked-agent.ts'
import { waitFor } from '../../support/wait-for.ts'

// SPEC.md A24: what people did on a node's own socket during an outage comes after the state of its hello. The agent's own
// code on the fake runtime, the hub's own code on a real database; the test says when an event may be stored.
let database: PlatformDatabase
let hub: TestHub
let agent: LinkedAgent
/** Called before each event is stored. */
let beforeStore: () => Promise<void>

beforeAll(async () => {
  database = await platformDatabase(40)
})
afterAll(() => database.close())
beforeEach(async () => {
  beforeStore = async () => {}
  const faults = async (name: string) => {
    if (name === 'hub.before-acknowledged') await beforeStore()
  }
  hub = await openHub(database, { context: { faults } })
  agent = await LinkedAgent.enrol(database.owner, hub.accept)
  await agent.until('a session', () => agent.connection.isReady)
})
afterEach(async () => {
  agent.close()
  await hub.close()
  await database.owner.query('delete from control.outbox')
})

const reconcile = () => reconcileAll({ ...hub.context, metrics: hub.metrics }, agent.nodeId)
const stored = async (id: string) => {
  const [row] = await database.owner.query<{ state: string; desired_power: string }>(
    `select o.state, s.desired_power from control.servers s join control.server_state o on o.server_id = s.id where s.id = $1`,
    [id],
  )
  return row
}
const commands = async (id: string): Promise<number> => {
  const rows = await database.owner.query('select 1 from control.commands where server_id = $1', [id])
  return rows.length
}
const starts = (): number => agent.rig.world.begun.filter((task) => !task.includes('-i')).length

/** A server that runs, with every command answered. */
const newServer = async (): Promise<string> => {
  const { id: _id, identifier: _identifier, generation: _generation, ...spec } = agent.rig.spec()
  const { id } = await addServer(database.owner, agent.nodeId, { spec })
  await reconcile()
  await agent.until('the server to run', async () => (await stored(id))?.state === 'running')
  await agent.until('its start to be answered', async () => {
    const open = `select 1 from control.commands where server_id = $1 and state in ('pending', 'accepted')`
    return (await database.owner.query(open, [id])).length === 0
  })
  return id
}

/** The control plane is back and has read the node's hello; of the events none has reached it yet. */
const comeBack = async (): Promise<void> => {
  agent.link.clog()
  agent.link.join()
  await agent.until('the first event to be on its way', () => agent.link.isClogged)
}
const settle = async (): Promise<void> => {
  await agent.until('everything to be stored', () => agent.connection.isReady && agent.outbox.pending === 0)
  await reconcile()
  await agent.rig.timers.advance(60_000)
  await agent.until('everything to be told', () => agent.outbox.pending === 0)
}

describe('after an outage', () => {
  it.each(['stop', 'kill'] as const)('a server that its customer ended by %s stays stopped [A24]', async (action) => {
    const id = await newServer()
    const [begun, asked] = [starts(), await commands(id)]
    agent.link.cut()
    const ended = agent.rig.server(id).power(action)
    await agent.until('its end', () => agent.programs === 0)
    await ended
    await comeBack()
    expect(await stored(id)).toEqual({ state: 'offline', desired_power: 'running' })
    expect(await reconcile()).toBe(0)
    agent.link.clear()
    await settle()
    expect(await stored(id)).toEqual({ state: 'offline', desired_power: 'stopped' })
    expect([agent.programs, starts(), await commands(id)]).toEqual([0, begun, asked])
  })

  it('a server that its customer started keeps running [A24]', async () => {
    const id = await newServer()
    await agent.rig.server(id).power('stop')
    await agent.until('the wish', async () => (await stored(id))?.desired_power === 'stopped')
    await agent.until('its end to be stored', () => agent.outbox.pending === 0)
    agent.link.cut()
    const asked = await commands(id)
    await agent.rig.server(id).power('start')
    await agent.until('the start', () => agent.rig.state(id) === 'running')
    await comeBack()
    expect(await stored(id)).toEqual({ state: 'running', desired_power: 'stopped' })
    expect(await reconcile()).toBe(0)
    agent.link.clear()
    await settle()
    expect(await stored(id)).toEqual({ state: 'running', desired_power: 'running' })
    expect([agent.programs, await commands(id)]).toEqual([1, asked])
  })

  it('a server that nobody stopped is restarted once the backlog is stored, and a crashed one by its node [A24]', async () => {
    const [ended, crashed] = [await newServer(), await newServer()]
    agent.link.cut()
    const asked = await commands(crashed)
    await agent.rig.server(crashed).writeLine('crash')
    // The node's own end: nobody asked for it.
    const down = agent.rig.server(ended).shutDown()
    await agent.until('both to end', () => agent.rig.state(ended) === 'offline')
    await down
    await agent.until('the crashed one to run again', () => agent.rig.state(crashed) === 'running')
    expect(agent.outbox.after(0)).toContainEqual(expect.objectContaining({ requestId: AGENT_SHUTDOWN_REQUEST }))
    await comeBack()
    expect(await reconcile()).toBe(0)
    agent.link.clear()
    await agent.until('the ended one to run', async () => (await stored(ended))?.state === 'running')
    await settle()
    expect([agent.programs, await commands(crashed)]).toEqual([2, asked])
    expect((await stored(ended))?.desired_power).toBe('running')
  })

  it('actions independent of the backlog go on meanwhile: a suspension and a deletion [A24]', async () => {
    const [unpaid, gone] = [await newServer(), await newServer()]
    agent.link.cut()
    await agent.rig.server(gone).writeLine('say a line for the backlog')
    await agent.rig.server(gone).power('restart')
    await agent.rig.timers.advance(60_000)
    await setSuspended(database.owner, unpaid, 'unpaid')
    await requestDeletion(database.owner, gone)
    await comeBack()
    await agent.until('both to end', () => agent.programs === 0)
    agent.link.clear()
    await settle()
    await agent.until('the deletion to be told', async () => (await stored(gone))?.state === 'deleted')
    expect((await stored(unpaid))?.state).toBe('offline')
  })

  it('while a backlog cannot be stored nothing is started, and people’s actions count once it can [A24]', async () => {
    const id = await newServer()
    const begun = starts()
    agent.link.cut()
    const ended = agent.rig.server(id).power('stop')
    await agent.until('its end', () => agent.programs === 0)
    await ended
    let failures = 0
    beforeStore = async () => {
      failures += 1
      throw new Error('The database is away.')
    }
    agent.link.join()
    await agent.until('three sessions that failed', () => failures >= 3)
    expect([await reconcile(), starts()]).toEqual([0, begun])
    beforeStore = async () => {}
    await settle()
    expect(await stored(id)).toEqual({ state: 'offline', desired_power: 'stopped' })
    expect(starts()).toBe(begun)
  })
})

describe('a node that never completes its backlog', () => {
  it('the backlog is waited for until its time limit, then the state counts, with an alarm [A24]', async () => {
    let nowMs = Date.now()
    const patient = await openHub(database, {
      context: { clock: { now: () => nowMs } },
      hub: { timing: { beatMs: 3_600_000, renewMs: 20 } },
    })
    try {
      const silent = new FakeAgent(await addNode(database.owner))
      const { nodeId } = silent.identity
      const { id } = await addServer(database.owner, nodeId, { installed: true, state: 'offline' })
      silent.servers.set(id, { id, generation: 1, state: 'offline', exit: null, installed: true, since: 0 })
      const peer = await silent.connect(patient.accept)
      await peer.next('the welcome', ({ type }) => type === 'welcome')
      const owes = async () => {
        // The link of this node alone: the link of an earlier test may be closing still.
        const behind = 'select 1 from control.agent_sessions where node_id = $1 and behind_session = session_id'
        return (await database.owner.query(behind, [nodeId])).length
      }
      nowMs += 299_000
      const provisioning = { ...patient.context, metrics: patient.metrics }
      await waitFor('the lease to be renewed', async () => {
        const renewed = `select 1 from control.agent_sessions where node_id = $1 and renewed_at > connected_at`
        return (await database.owner.query(renewed, [nodeId])).length === 1
      })
      expect([await owes(), await reconcileAll(provisioning, nodeId)]).toEqual([1, 0])
      nowMs += 1_000
      await peer.next('the start', (message) => message.type === 'command' && message.command.kind === 'power')
      expect(await owes()).toBe(0)
      expect(await patient.metrics.registry.getSingleMetricAsString('bakter_agent_alarms_total')).toContain(
        'kind="backlog-late"',
      )
    } finally {
      await patient.close()
    }
  })
})
