import { beforeAll, beforeEach, expect, it } from 'vitest'
import { PERMISSIONS } from '#contracts/panel/permissions.ts'
import { systemIds } from '#platform/ids.ts'
import { sweep } from '../../../control-plane/people/sweep.ts'
import { readPlayerCounts, storePlayerCounts } from '../../../control-plane/servers/store/player-counts.ts'
import { addNode, addServer, type FleetNode } from '../../factories/fleet.ts'
import { hubsOfFile } from '../../factories/hub.ts'
import { testContext } from '../../factories/platform-database.ts'
import { waitFor } from '../../support/wait-for.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOW = Date.UTC(2026, 10, 20, 19, 30)

const { database, open, newAgent } = hubsOfFile()
let node: FleetNode
let nowMs = NOW
beforeAll(async () => {
  node = await addNode(database().owner)
})
beforeEach(() => {
  nowMs = NOW
})

const context = () => ({ ...testContext(database().db), clock: { now: () => nowMs } })
const running = () => addServer(database().owner, node.nodeId, { installed: true, state: 'running' })
type Rented = Awaited<ReturnType<typeof running>>
const tell = (rented: Rented, online: number, nodeId = node.nodeId) =>
  storePlayerCounts(context(), { nodeId, counts: [{ serverId: rented.id, online, max: 40 }] })
const read = (userId: string) => readPlayerCounts(database().db, { userId, nowMs })
const share = async (rented: Rented, permissions: readonly string[], endsAt: Date | null = null) => {
  const userId = systemIds.next()
  await database().owner.query(
    'insert into control.server_users (server_id, user_id, permissions, created_at, ends_at) values ($1, $2, $3, now(), $4)',
    [rented.id, userId, permissions, endsAt],
  )
  return userId
}

it('keeps the last count and the most of each hour', async () => {
  const rented = await running()
  nowMs = NOW - HOUR
  await tell(rented, 31)
  await tell(rented, 9)
  nowMs = NOW
  await tell(rented, 12)
  const [players] = await read(rented.ownerId)
  expect(players).toMatchObject({ serverId: rented.id, now: { online: 12, max: 40 } })
  expect(players?.hours.slice(-3)).toEqual([null, 31, 12])
})

it('an old count, and that of a server that does not run, says nothing about the present', async () => {
  const rented = await running()
  await tell(rented, 12)
  nowMs += 3 * MINUTE
  expect((await read(rented.ownerId))[0]).toMatchObject({ now: null })
  await tell(rented, 12)
  expect((await read(rented.ownerId))[0]).toMatchObject({ now: { online: 12 } })
  await database().owner.query(`update control.server_state set state = 'offline' where server_id = $1`, [rented.id])
  const [players] = await read(rented.ownerId)
  expect([players?.now, players?.hours.at(-1)]).toEqual([null, 12])
})

it('a node counts only on its own servers, and one id twice counts once', async () => {
  const rented = await running()
  const other = await addNode(database().owner)
  await tell(rented, 12, other.nodeId)
  expect(await read(rented.ownerId)).toEqual([])
  const count = { serverId: rented.id, online: 3, max: 40 }
  await storePlayerCounts(context(), { nodeId: node.nodeId, counts: [count, count] })
  expect(await read(rented.ownerId)).toMatchObject([{ now: { online: 3 } }])
})

it('collaborators see the players where they read the console, until their share ends, and strangers never', async () => {
  const rented = await running()
  await tell(rented, 12)
  const [readers, others, ended] = [
    await share(rented, ['console.read']),
    await share(
      rented,
      PERMISSIONS.filter((permission) => permission !== 'console.read'),
    ),
    await share(rented, ['console.read'], new Date(Date.now() - MINUTE)),
  ]
  expect(await read(readers)).toMatchObject([{ serverId: rented.id, now: { online: 12 } }])
  expect([await read(others), await read(ended), await read(systemIds.next())]).toEqual([[], [], []])
})

it('hours are forgotten after a week and a day', async () => {
  const rented = await running()
  nowMs = NOW - 9 * 24 * HOUR
  await tell(rented, 5)
  nowMs = NOW
  await tell(rented, 6)
  await sweep(context())
  const rows = await database().owner.query('select peak from control.player_hours where server_id = $1', [rented.id])
  expect(rows).toEqual([{ peak: 6 }])
})

it('A27 a node tells its counts through its session, and the session goes on', async () => {
  const { accept } = await open()
  const agent = await newAgent()
  const rented = await addServer(database().owner, agent.identity.nodeId, { installed: true, state: 'running' })
  agent.servers.set(rented.id, {
    id: rented.id,
    generation: 1,
    state: 'running',
    exit: null,
    installed: true,
    since: NOW,
  })
  const peer = await agent.connectLive(accept)
  peer.send({ type: 'players', counts: [{ serverId: rented.id, online: 4, max: 8 }] })
  await waitFor('the count', async () => {
    const [players] = await readPlayerCounts(database().db, { userId: rented.ownerId, nowMs: Date.now() })
    return players?.now?.online === 4
  })
  expect(peer.closed).toBeUndefined()
})
