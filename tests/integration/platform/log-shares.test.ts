import { afterAll, beforeAll, expect, it } from 'vitest'
import { PERMISSIONS } from '#contracts/panel/permissions.ts'
import { systemIds } from '#platform/ids.ts'
import { sweep } from '../../../control-plane/people/sweep.ts'
import {
  createLogShare,
  endLogShare,
  listLogShares,
  readSharedLog,
} from '../../../control-plane/servers/log-shares/share-log.ts'
import { addServer } from '../../factories/fleet.ts'
import { SharedServers } from '../../factories/shared-server.ts'
import { platformDatabase, testContext, type PlatformDatabase } from '../../factories/platform-database.ts'

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 10, 20, 19, 30)
const TEXT = 'Alex[/203.0.113.7:51234] logged in'

let database: PlatformDatabase
let servers: SharedServers
let nowMs = NOW
beforeAll(async () => {
  database = await platformDatabase()
  servers = await SharedServers.open(database)
})
afterAll(() => database.close())

const context = () => ({ ...testContext(database.db), clock: { now: () => nowMs } })
const person = async () => (await servers.person('person')).userId
const newServer = async () =>
  addServer(database.owner, servers.node.nodeId, { ownerId: await person(), installed: true })
type Rented = Awaited<ReturnType<typeof newServer>>
const caller = (userId: string, more: { seesAs?: string; isAdmin?: boolean } = {}) => ({
  userId,
  isAdmin: false,
  address: '203.0.113.9',
  way: 'panel' as const,
  ...more,
})
const share = async ({ id }: Rented, permissions: readonly string[]) => {
  const userId = await person()
  await database.owner.query(
    'insert into control.server_users (server_id, user_id, permissions, created_at) values ($1, $2, $3, now())',
    [id, userId, permissions],
  )
  return userId
}
const create = (rented: Rented, userId = rented.ownerId, text = TEXT) =>
  createLogShare(context(), { caller: caller(userId), serverId: rented.id, request: { text, hours: 24 } })
const created = async (rented: Rented, userId = rented.ownerId) => {
  const result = await create(rented, userId)
  if (!result.ok) throw new Error(result.code)
  return { ...result, token: result.path.slice('/log/'.length) }
}
const read = (token: string) => readSharedLog(context(), token)
const list = async (rented: Rented, userId: string) => {
  const result = await listLogShares(context(), { caller: caller(userId), serverId: rented.id })
  return result.ok ? result.items.map(({ id, mine }) => [id, mine]) : result
}

it('stores the redacted text and a hash of the token, and nothing else of either', async () => {
  const rented = await newServer()
  const { share: made, token } = await created(rented)
  const rows = await database.owner.query<{ text: string }>(
    'select l.text, l::text as whole from control.log_shares l where id = $1',
    [made.id],
  )
  expect(rows[0]).toMatchObject({ text: 'Alex[/[ip]:51234] logged in' })
  expect(JSON.stringify(rows)).not.toContain(token)
  expect(JSON.stringify(rows)).not.toContain('203.0.113.7')
  expect(await read(token)).toMatchObject({
    text: 'Alex[/[ip]:51234] logged in',
    endsAt: new Date(NOW + 24 * HOUR).toISOString(),
  })
  const activities = await database.owner.query<{ type: string; detail: unknown }>(
    'select type, user_id, detail from control.activities where server_id = $1',
    [rented.id],
  )
  expect(activities).toEqual([{ type: 'server:console.share', user_id: rented.ownerId, detail: {} }])
})

it('ends with its time, and its row goes', async () => {
  const rented = await newServer()
  const { token, share: made } = await created(rented)
  nowMs = NOW + 24 * HOUR - 1
  expect(await read(token)).not.toBeNull()
  nowMs = NOW + 24 * HOUR
  expect([await read(token), await list(rented, rented.ownerId)]).toEqual([null, []])
  nowMs += 1
  await sweep(context())
  nowMs = NOW
  expect(await database.owner.query('select from control.log_shares where id = $1', [made.id])).toEqual([])
})

it('a link of a collaborator ends with the right to read the console, and lives again with it', async () => {
  const rented = await newServer()
  const friend = await share(rented, ['console.read'])
  const { token } = await created(rented, friend)
  const allow = (permissions: readonly string[]) =>
    database.owner.query('update control.server_users set permissions = $2 where user_id = $1', [friend, permissions])
  expect(await read(token)).not.toBeNull()
  await allow(['file.read'])
  expect(await read(token)).toBeNull()
  await allow(['console.read'])
  expect(await read(token)).not.toBeNull()
  await database.owner.query('delete from control.server_users where user_id = $1', [friend])
  expect(await read(token)).toBeNull()
})

it('is closed while its server or its maker is suspended', async () => {
  const rented = await newServer()
  const { token } = await created(rented)
  const suspend = (suspended: boolean) =>
    database.owner.query('update control.servers set suspended = $2 where id = $1', [rented.id, suspended])
  await suspend(true)
  expect(await read(token)).toBeNull()
  await suspend(false)
  expect(await read(token)).not.toBeNull()
  await database.owner.query('insert into cms_api.suspended_people values ($1)', [rented.ownerId])
  expect(await read(token)).toBeNull()
})

it('ends with its server, and unknown or misshapen tokens are nothing', async () => {
  const rented = await newServer()
  const { token } = await created(rented)
  expect([
    await read(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`),
    await read(''),
    await read(`${token}A`),
  ]).toEqual([null, null, null])
  await database.owner.query('update control.servers set deleted_at = now() where id = $1', [rented.id])
  expect(await read(token)).toBeNull()
})

it('the maker ends their own, the owner everybody’s, and nobody else’s are seen', async () => {
  const rented = await newServer()
  const [one, other] = [await share(rented, ['console.read']), await share(rented, ['console.read'])]
  const first = await created(rented, one)
  const second = await created(rented, other)
  expect(await list(rented, one)).toEqual([[first.share.id, true]])
  expect(await list(rented, rented.ownerId)).toHaveLength(2)
  const end = (userId: string, shareId: string) =>
    endLogShare(context(), { caller: caller(userId), serverId: rented.id, shareId })
  expect(await end(one, second.share.id)).toEqual({ ok: false, code: 'NOT_FOUND' })
  expect(await read(second.token)).not.toBeNull()
  expect([await end(one, first.share.id), await end(rented.ownerId, second.share.id)]).toEqual([
    { ok: true },
    { ok: true },
  ])
  expect([await read(first.token), await read(second.token), await list(rented, rented.ownerId)]).toEqual([
    null,
    null,
    [],
  ])
})

it('a link of another server is not ended by its id', async () => {
  const [rented, other] = [await newServer(), await newServer()]
  const { share: made, token } = await created(other)
  const ended = await endLogShare(context(), { caller: caller(rented.ownerId), serverId: rented.id, shareId: made.id })
  expect([ended.ok, await read(token)]).toEqual([false, expect.anything()])
})

it('strangers, those without the console, and who sees as somebody share nothing', async () => {
  const rented = await newServer()
  const blind = await share(
    rented,
    PERMISSIONS.filter((permission) => permission !== 'console.read'),
  )
  const seen = await share(rented, ['console.read'])
  const asSeen = await createLogShare(context(), {
    caller: caller(rented.ownerId, { seesAs: seen }),
    serverId: rented.id,
    request: { text: TEXT, hours: 1 },
  })
  expect([await create(rented, systemIds.next()), await create(rented, blind), asSeen]).toEqual([
    { ok: false, code: 'NOT_FOUND' },
    { ok: false, code: 'FORBIDDEN', permission: 'console.read' },
    { ok: false, code: 'NOT_FOUND' },
  ])
  expect(await list(rented, rented.ownerId)).toEqual([])
})

it('a server has twenty open links at most, however many are asked for at once', async () => {
  const rented = await newServer()
  const results = await Promise.all(Array.from({ length: 24 }, () => create(rented)))
  expect(results.filter(({ ok }) => ok)).toHaveLength(20)
  expect(results.find(({ ok }) => !ok)).toEqual({ ok: false, code: 'LOG_SHARE_LIMIT' })
  expect(await list(rented, rented.ownerId)).toHaveLength(20)
})

it('nothing but addresses to hide is something, and nothing at all is refused', async () => {
  const rented = await newServer()
  expect(await create(rented, rented.ownerId, '203.0.113.7')).toMatchObject({ ok: true })
  expect(await create(rented, rented.ownerId, '\n \u200B\n')).toEqual({ ok: false, code: 'LOG_SHARE_EMPTY' })
  const long = Array.from({ length: 2_001 }, () => 'line').join('\n')
  expect(await create(rented, rented.ownerId, long)).toMatchObject({ code: 'VALIDATION', fields: { text: 'too-long' } })
  // Far too many lines are not even read: these would turn out to be empty.
  expect(await create(rented, rented.ownerId, '\n'.repeat(100_000))).toMatchObject({ fields: { text: 'too-long' } })
})
