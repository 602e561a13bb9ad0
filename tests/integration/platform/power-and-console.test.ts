import { createPublicKey } from 'node:crypto'
import { decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PERMISSIONS } from '#contracts/panel/permissions.ts'
import { ConsoleTokenClaims } from '#contracts/panel/token.ts'
import { overtakenWrite } from '../../support/overtaken-write.ts'
import { loadConsoleKey, publicConsoleKeys } from '../../../control-plane/servers/access/console-keys.ts'
import { consoleToken } from '../../../control-plane/servers/access/console-token.ts'
import { requestPower } from '../../../control-plane/servers/access/request-power.ts'
import { systemIds } from '#platform/ids.ts'
import { SealBroken } from '#platform/seal.ts'
import { addNode, addServer, makeReachable, type FleetNode, type ServerOptions } from '../../factories/fleet.ts'
import { platformDatabase, testContext, type PlatformDatabase } from '../../factories/platform-database.ts'

const SECRET = 'the secret of the control plane'
let database: PlatformDatabase
let node: FleetNode
beforeAll(async () => {
  database = await platformDatabase()
  node = await addNode(database.owner, 'http://node.test:8080')
})
// Its session lasts 30 s.
beforeEach(() => makeReachable(database.owner, node.nodeId))
afterAll(() => database.close())

const context = () => testContext(database.db)
const ready: ServerOptions = { installed: true, state: 'offline', power: 'stopped' }
const server = (options: ServerOptions = {}) => addServer(database.owner, node.nodeId, { ...ready, ...options })
const as = (userId: string, isAdmin = false) => ({ userId, sessionId: null, isAdmin, address: '192.0.2.1' })
const share = (serverId: string, userId: string, permissions: string[]) =>
  database.owner.query(
    'insert into control.server_users (server_id, user_id, permissions, created_at) values ($1, $2, $3, now())',
    [serverId, userId, permissions],
  )
type Action = 'start' | 'stop' | 'restart' | 'kill'
type Wish = { action?: Action; powerRequestId?: string }
const power = (serverId: string, caller: ReturnType<typeof as>, { action = 'start', powerRequestId }: Wish = {}) =>
  requestPower(context(), { serverId, caller, action, powerRequestId, requestId: 'req-1' })
const rows = (serverId: string) =>
  database.owner.query<{ kind: string; action: string; request_id: string }>(
    `select kind, body ->> 'action' as action, request_id from control.commands where server_id = $1`,
    [serverId],
  )

describe('requestPower', () => {
  it('a power request writes the desired state, the command, the activity and the notification together', async () => {
    const { id, ownerId } = await server()
    expect(await power(id, as(ownerId))).toMatchObject({ ok: true })
    expect(await rows(id)).toEqual([{ kind: 'power', action: 'start', request_id: 'req-1' }])
    expect(await database.owner.query('select desired_power from control.servers where id = $1', [id])).toEqual([
      { desired_power: 'running' },
    ])
    expect(await database.owner.query('select type from control.activities where server_id = $1', [id])).toEqual([
      { type: 'server.start' },
    ])
    expect(await database.owner.query(`select 1 from control.outbox where topic = 'commands-waiting'`)).not.toEqual([])
  })

  it('a stranger gets 404 for somebody else’s server and for an unknown one alike', async () => {
    const { id } = await server()
    expect(await power(id, as(systemIds.next()))).toEqual({ ok: false, code: 'NOT_FOUND' })
    expect(await power(systemIds.next(), as(systemIds.next()))).toEqual({ ok: false, code: 'NOT_FOUND' })
    expect(await rows(id)).toEqual([])
  })

  it('a sub-user needs the action’s permission, which the refusal names', async () => {
    const { id } = await server()
    const user = systemIds.next()
    await share(id, user, ['control.stop', 'console.read'])
    expect(await power(id, as(user), { action: 'start' })).toEqual({
      ok: false,
      code: 'FORBIDDEN',
      permission: 'control.start',
    })
    expect(await rows(id)).toEqual([])
    await database.owner.query(`update control.server_users set permissions = '{control.start}' where user_id = $1`, [
      user,
    ])
    expect(await power(id, as(user), { action: 'start' })).toMatchObject({ ok: true })
  })

  it('an administrator may act on every server', async () => {
    const { id } = await server()
    expect(await power(id, as(systemIds.next(), true))).toMatchObject({ ok: true })
    expect(await rows(id)).toMatchObject([{ kind: 'power', action: 'start' }])
  })

  it('a repeated request id is the same request; for another action it is a conflict', async () => {
    const { id, ownerId } = await server()
    const wish = systemIds.next()
    const answers = [
      await power(id, as(ownerId), { action: 'start', powerRequestId: wish }),
      await power(id, as(ownerId), { action: 'start', powerRequestId: wish }),
    ]
    expect(answers).toEqual([
      { ok: true, commandId: wish },
      { ok: true, commandId: wish },
    ])
    expect(await rows(id)).toHaveLength(1)
    expect(await power(id, as(ownerId), { action: 'kill', powerRequestId: wish })).toEqual({
      ok: false,
      code: 'CONFLICT',
    })
  })

  it('of ten concurrent starts one is sent', async () => {
    const { id, ownerId } = await server()
    const answers = await Promise.all(Array.from({ length: 10 }, () => power(id, as(ownerId))))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    expect(answers.filter((answer) => !answer.ok && answer.code === 'POWER_ACTION_RUNNING')).toHaveLength(9)
    expect(await rows(id)).toHaveLength(1)
  })

  it.each<{ name: string; options: ServerOptions; action: Action; code: string }>([
    { name: 'suspended', options: { suspended: true }, action: 'start', code: 'SERVER_SUSPENDED' },
    { name: 'expired', options: { expiresAtMs: Date.now() - 1 }, action: 'start', code: 'SERVER_EXPIRED' },
    {
      name: 'not installed',
      options: { installed: false, state: 'installing' },
      action: 'start',
      code: 'INVALID_STATE',
    },
    { name: 'running already', options: { state: 'running' }, action: 'start', code: 'INVALID_STATE' },
    { name: 'not running', options: {}, action: 'stop', code: 'INVALID_STATE' },
    { name: 'to be deleted', options: { desired: 'deleted', state: 'running' }, action: 'stop', code: 'INVALID_STATE' },
  ])('a server that is $name is refused', async ({ options, action, code }) => {
    const { id, ownerId } = await server(options)
    expect(await power(id, as(ownerId), { action })).toEqual({ ok: false, code })
    expect(await rows(id)).toEqual([])
  })

  it('the switch "server start" stops customers and not staff, and never blocks a stop', async () => {
    const [one, two] = [await server(), await server({ state: 'running' })]
    await database.owner.query('update cms_api.settings set server_start = false')
    try {
      expect(await power(one.id, as(one.ownerId))).toEqual({ ok: false, code: 'SERVER_START_DISABLED' })
      expect(await power(one.id, as(systemIds.next(), true))).toMatchObject({ ok: true })
      expect(await power(two.id, as(two.ownerId), { action: 'stop' })).toMatchObject({ ok: true })
    } finally {
      await database.owner.query('update cms_api.settings set server_start = true')
    }
  })

  it('a request is refused while the node is unreachable', async () => {
    const away = await addNode(database.owner)
    const { id, ownerId } = await addServer(database.owner, away.nodeId, ready)
    expect(await power(id, as(ownerId))).toEqual({ ok: false, code: 'NODE_UNREACHABLE' })
  })
})

describe('console tokens', () => {
  const deps = async () => ({ ...context(), consoleKey: await loadConsoleKey(context(), SECRET) })

  it('P2 a console token is valid for one server on one node for ten minutes, signed with the published key', async () => {
    const { id, ownerId } = await server()
    const caller = { ...as(ownerId), address: '203.0.113.7' }
    const answer = await consoleToken(await deps(), { caller, serverId: id })
    if (!answer.ok) throw new Error(answer.code)
    expect(answer.value).toMatchObject({ socket: `/servers/${id}/ws`, url: 'http://node.test:8080' })
    const { kid } = decodeProtectedHeader(answer.value.token)
    const published = (await publicConsoleKeys(database.db)).find((key) => key.kid === kid)
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: published?.x ?? '' }, format: 'jwk' })
    const { payload } = await jwtVerify(answer.value.token, key, {
      audience: node.nodeId,
      issuer: 'bakter-control-plane',
    })
    const claims = ConsoleTokenClaims.parse(payload)
    expect(claims).toMatchObject({ sub: ownerId, server: id, permissions: [...PERMISSIONS], address: '203.0.113.7' })
    expect(claims.exp - claims.iat).toBe(600)
  })

  it('a console token has exactly a sub-user’s permissions', async () => {
    const { id } = await server()
    const user = systemIds.next()
    await share(id, user, ['console.read', 'control.start', 'no.such.permission'])
    const answer = await consoleToken(await deps(), { caller: as(user), serverId: id })
    const payload: unknown = JSON.parse(
      Buffer.from((answer.ok ? answer.value.token : '').split('.')[1] ?? '', 'base64url').toString(),
    )
    expect(payload).toMatchObject({ permissions: ['control.start', 'console.read'] })
  })

  it('T62: strangers, sub-users without read permission, and the owner of a suspended server are refused', async () => {
    const [one, two] = [await server(), await server({ suspended: true })]
    const user = systemIds.next()
    await share(one.id, user, ['control.start'])
    const ask = async (serverId: string, caller: ReturnType<typeof as>) =>
      consoleToken(await deps(), { caller, serverId })
    expect(await ask(one.id, as(systemIds.next()))).toEqual({ ok: false, code: 'NOT_FOUND' })
    expect(await ask(one.id, as(user))).toEqual({ ok: false, code: 'FORBIDDEN', permission: 'console.read' })
    expect(await ask(two.id, as(two.ownerId))).toEqual({ ok: false, code: 'SERVER_SUSPENDED' })
    expect(await ask(two.id, as(systemIds.next(), true))).toMatchObject({ ok: true })
  })

  it('a process that decides while another one writes the first key uses that key', async () => {
    const other = await platformDatabase()
    const place = { db: other.db, owner: other.owner, statement: 'insert into control.signing_keys' }
    const [first, second] = await overtakenWrite(place, (db) => loadConsoleKey(testContext(db), SECRET))
    expect(second.kid).toBe(first.kid)
    expect(await publicConsoleKeys(other.db)).toEqual([{ kid: first.kid, x: first.x }])
    await other.close()
  })

  it('processes that start at once agree on one key, which is stored sealed', async () => {
    const other = await platformDatabase()
    const keys = await Promise.all(Array.from({ length: 8 }, () => loadConsoleKey(testContext(other.db), SECRET)))
    expect(new Set(keys.map((key) => key.kid)).size).toBe(1)
    const [row] = await other.owner.query<{ sealed_private_key: Buffer }>(
      'select sealed_private_key from control.signing_keys',
    )
    const plain = keys[0]?.privateKey.export({ format: 'der', type: 'pkcs8' })
    expect(row?.sealed_private_key.includes(plain?.subarray(-32) ?? Buffer.from('x'))).toBe(false)
    await expect(loadConsoleKey(testContext(other.db), 'another secret')).rejects.toThrow(SealBroken)
    await other.close()
  })
})
