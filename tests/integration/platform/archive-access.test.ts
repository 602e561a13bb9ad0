import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ConsoleTokens } from '../../../agents/http/console-token.ts'
import { archiveToken } from '../../../control-plane/servers/access/archive-token.ts'
import { loadConsoleKey, type ConsoleKey } from '../../../control-plane/servers/access/console-keys.ts'
import { consoleToken } from '../../../control-plane/servers/access/console-token.ts'
import { systemIds } from '#platform/ids.ts'
import { requestDeletion } from '../../../control-plane/servers/store/server-store.ts'
import { PERMISSIONS } from '../../../src/contracts/panel/permissions.ts'
import { addNode, addServer, makeReachable, type FleetNode } from '../../factories/fleet.ts'
import { platformDatabase, testContext, type PlatformDatabase } from '../../factories/platform-database.ts'

const DAY_MS = 86_400_000
let database: PlatformDatabase
let node: FleetNode
let consoleKey: ConsoleKey
beforeAll(async () => {
  database = await platformDatabase()
  node = await addNode(database.owner, 'http://node.test:8080')
  consoleKey = await loadConsoleKey(testContext(database.db), 'the secret of the control plane')
})
beforeEach(() => makeReachable(database.owner, node.nodeId))
afterAll(() => database.close())

const newServer = (change: Parameters<typeof addServer>[2] = {}) =>
  addServer(database.owner, node.nodeId, {
    installed: true,
    state: 'offline',
    power: 'stopped',
    expiresAtMs: Date.now() - 1_000,
    ...change,
  })
const ask = (serverId: string, userId: string, isAdmin = false) => {
  const caller = { userId, isAdmin, sessionId: null, address: '192.0.2.1' }
  return archiveToken({ ...testContext(database.db), consoleKey }, { caller, serverId })
}
const codeOf = async (serverId: string, userId: string, isAdmin = false) => {
  const answer = await ask(serverId, userId, isAdmin)
  return answer.ok ? 'given' : answer.code
}
const tokensOf = async (nodeId: string, nowMs = Date.now()) => {
  const tokens = new ConsoleTokens({ now: () => nowMs }, () => nodeId)
  await tokens.learn([{ kid: consoleKey.kid, x: consoleKey.x }])
  return tokens
}
const activitiesOf = (userId: string) =>
  database.owner.query<{ type: string; status: string; ip_address: string }>(
    'select type, status, ip_address from control.activities where user_id = $1',
    [userId],
  )

describe('the archive address of an expired server', () => {
  it('the owner gets it with a token that its node accepts for minutes, and the activity log records it', async () => {
    const { id, ownerId } = await newServer()
    const answer = await ask(id, ownerId)
    if (!answer.ok) throw new Error(answer.code)
    const { url, path, token, fileName, expiresAt } = answer.value
    expect([url, path]).toEqual(['http://node.test:8080', `/servers/${id}/archive`])
    expect(fileName).toMatch(/^[a-z0-9]+\.tar\.gz$/)
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'EdDSA', typ: 'archive+jwt' })
    const reading = await (await tokensOf(node.nodeId)).readArchive(token, id)
    expect(reading).toMatchObject({ ok: true, claims: { purpose: 'archive', sub: ownerId, server: id } })
    expect((await (await tokensOf(node.nodeId, Date.parse(expiresAt) + 61_000)).readArchive(token, id)).ok).toBe(false)
    expect(await activitiesOf(ownerId)).toEqual([
      { type: 'server.archive', status: 'success', ip_address: '192.0.2.1' },
    ])
  })

  it('each request gets a new token', async () => {
    const { id, ownerId } = await newServer()
    const [one, two] = [await ask(id, ownerId), await ask(id, ownerId)]
    expect(one.ok && two.ok && one.value.token !== two.value.token).toBe(true)
  })

  it('the token is refused by other nodes, for other servers and for consoles; a console token opens no archive', async () => {
    const { id, ownerId } = await newServer()
    const other = await newServer({ ownerId })
    const answer = await ask(id, ownerId)
    if (!answer.ok) throw new Error(answer.code)
    const { token } = answer.value
    const tokens = await tokensOf(node.nodeId)
    expect((await (await tokensOf(systemIds.next())).readArchive(token, id)).ok).toBe(false)
    expect((await tokens.readArchive(token, other.id)).ok).toBe(false)
    expect((await tokens.read(token, id)).ok).toBe(false)
    const caller = { userId: ownerId, isAdmin: false, sessionId: null }
    const opened = await consoleToken({ ...testContext(database.db), consoleKey }, { caller, serverId: id })
    if (!opened.ok) throw new Error(opened.code)
    expect((await tokens.readArchive(opened.value.token, id)).ok).toBe(false)
  })

  it('administrators get it, sub-users never, and for a stranger the server does not exist', async () => {
    const { id } = await newServer()
    const subUser = systemIds.next()
    await database.owner.query(
      'insert into control.server_users (server_id, user_id, permissions, created_at) values ($1, $2, $3, now())',
      [id, subUser, PERMISSIONS],
    )
    expect(await codeOf(id, systemIds.next(), true)).toBe('given')
    expect(await codeOf(id, subUser)).toBe('FORBIDDEN')
    expect(await codeOf(id, systemIds.next())).toBe('NOT_FOUND')
    expect(await activitiesOf(subUser)).toEqual([])
  })

  it('the address is refused with the reason while the server may run, is suspended or is being deleted', async () => {
    const paid = await newServer({ expiresAtMs: Date.now() + DAY_MS })
    expect(await codeOf(paid.id, paid.ownerId)).toBe('NOT_EXPIRED')
    for (const state of ['running', 'starting', 'stopping'] as const) {
      const running = await newServer({ state })
      expect(await codeOf(running.id, running.ownerId)).toBe('STILL_RUNNING')
    }
    const fresh = await newServer({ state: 'installing', installed: false })
    expect(await codeOf(fresh.id, fresh.ownerId)).toBe('INVALID_STATE')
    const suspended = await newServer({ suspended: true })
    expect(await codeOf(suspended.id, suspended.ownerId)).toBe('SERVER_SUSPENDED')
    expect(await codeOf(suspended.id, systemIds.next(), true)).toBe('given')
    const doomed = await newServer()
    await requestDeletion(database.owner, doomed.id)
    expect(await codeOf(doomed.id, doomed.ownerId)).toBe('SERVER_DELETED')
  })

  it('the address is refused while the node is away', async () => {
    const { id, ownerId } = await newServer()
    await makeReachable(database.owner, node.nodeId, Date.now() - 60_000)
    expect(await codeOf(id, ownerId)).toBe('NODE_UNREACHABLE')
  })
})
