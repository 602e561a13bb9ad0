import { beforeAll, expect, it } from 'vitest'
import { PERMISSIONS } from '#contracts/panel/permissions.ts'
import { systemIds } from '#platform/ids.ts'
import { summaryCalls } from '../../../control-plane/api/summary-calls.ts'
import { readPlayerDays } from '../../../control-plane/servers/store/player-days.ts'
import { addNode, addServer, type FleetNode } from '../../factories/fleet.ts'
import { hubsOfFile } from '../../factories/hub.ts'
import { testContext } from '../../factories/platform-database.ts'
import { callerOf } from '../../factories/shop.ts'

const NOW = Date.UTC(2026, 10, 20, 19, 30)
const { database } = hubsOfFile()
let node: FleetNode
beforeAll(async () => {
  node = await addNode(database().owner)
})

const rented = (ownerId?: string) =>
  addServer(database().owner, node.nodeId, {
    installed: true,
    state: 'running',
    ...(ownerId === undefined ? {} : { ownerId }),
  })
const count = (serverId: string, hour: string, peak: number) =>
  database().owner.query('insert into control.player_hours (server_id, hour, peak) values ($1, $2, $3)', [
    serverId,
    new Date(hour),
    peak,
  ])
const read = (userId: string, timeZone = 'Europe/Budapest') =>
  readPlayerDays(database().db, { userId, nowMs: NOW, timeZone })
const share = async (serverId: string, permissions: readonly string[], endsAt: Date | null = null) => {
  const userId = systemIds.next()
  await database().owner.query(
    'insert into control.server_users (server_id, user_id, permissions, created_at, ends_at) values ($1, $2, $3, now(), $4)',
    [serverId, userId, permissions, endsAt],
  )
  return userId
}

it('sums the servers for each hour and takes the largest hour of a day: two evenings are not added up', async () => {
  const one = await rented()
  const other = await rented(one.ownerId)
  await count(one.id, '2026-11-19T18:00:00Z', 30)
  await count(other.id, '2026-11-19T18:00:00Z', 12)
  await count(one.id, '2026-11-19T09:00:00Z', 5)
  await count(other.id, '2026-11-19T09:00:00Z', 40)
  const { days, peak } = await read(one.ownerId)
  expect(days.at(-2)).toEqual({ day: '2026-11-19', most: 45 })
  expect(peak).toEqual({ at: '2026-11-19T09:00:00.000Z', players: 45 })
})

it('a day without an answer is unknown, and one without players is zero', async () => {
  const { id, ownerId } = await rented()
  await count(id, '2026-11-18T10:00:00Z', 0)
  const { days } = await read(ownerId)
  expect(days.map(({ most }) => most)).toEqual([null, null, null, null, 0, null, null])
})

it('the reader’s zone decides on which day an hour counts, and what is older than a week counts on none', async () => {
  const { id, ownerId } = await rented()
  await count(id, '2026-11-13T23:00:00Z', 7)
  await count(id, '2026-11-13T22:00:00Z', 99)
  const oldest = async (timeZone: string) => (await read(ownerId, timeZone)).days[0]
  expect(await oldest('Europe/Budapest')).toEqual({ day: '2026-11-14', most: 7 })
  expect(await oldest('UTC')).toEqual({ day: '2026-11-14', most: null })
  expect(await oldest('America/Los_Angeles')).toEqual({ day: '2026-11-14', most: null })
  expect(await oldest('Pacific/Kiritimati')).toEqual({ day: '2026-11-15', most: null })
})

it('a zone that is unknown here is that of the site', async () => {
  const { id, ownerId } = await rented()
  // Midnight in Budapest, and the day before in UTC.
  await count(id, '2026-11-18T23:00:00Z', 7)
  const calls = summaryCalls({ context: { ...testContext(database().db), clock: { now: () => NOW } } })
  const daysIn = async (timeZone?: string) =>
    (
      await calls['player-days'](
        { caller: callerOf(ownerId), ...(timeZone === undefined ? {} : { timeZone }) },
        { requestId: 'request-of-the-test', idempotencyKey: undefined },
      )
    ).days.find(({ most }) => most === 7)?.day
  expect([await daysIn(), await daysIn('Mars/Olympus_Mons'), await daysIn('UTC')]).toEqual([
    '2026-11-19',
    '2026-11-19',
    '2026-11-18',
  ])
})

it('collaborators see the players where they read the console, until their share ends, and strangers never', async () => {
  const { id } = await rented()
  await count(id, '2026-11-20T18:00:00Z', 12)
  const readers = await share(id, ['console.read'])
  const others = await share(
    id,
    PERMISSIONS.filter((permission) => permission !== 'console.read'),
  )
  const ended = await share(id, ['console.read'], new Date(Date.now() - 60_000))
  const peakOf = async (userId: string) => (await read(userId)).peak?.players ?? null
  expect([await peakOf(readers), await peakOf(others), await peakOf(ended), await peakOf(systemIds.next())]).toEqual([
    12,
    null,
    null,
    null,
  ])
})
