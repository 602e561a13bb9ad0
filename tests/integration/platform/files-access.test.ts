import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ConsoleTokens } from '../../../agents/http/console-token.ts'
import { loadConsoleKey, type ConsoleKey } from '../../../control-plane/servers/access/console-keys.ts'
import { filesToken } from '../../../control-plane/servers/access/files-token.ts'
import { systemIds } from '#platform/ids.ts'
import type { NodeTokenRequest } from '#contracts/http/server.ts'
import { PERMISSIONS } from '../../../src/contracts/panel/permissions.ts'
import { addNode, addServer, makeReachable, type FleetNode } from '../../factories/fleet.ts'
import { platformDatabase, testContext, type PlatformDatabase } from '../../factories/platform-database.ts'

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

const ask = (serverId: string, userId: string, request: NodeTokenRequest = { purpose: 'files' }) => {
  const flags = { isAdmin: false, isSupport: false, isVerified: true, locale: 'en' } as const
  const caller = { userId, sessionId: null, address: '192.0.2.1', ...flags }
  return filesToken({ ...testContext(database.db), consoleKey }, { caller, serverId, request })
}
const given = async (...asked: Parameters<typeof ask>) => {
  const answer = await ask(...asked)
  if (!answer.ok) throw new Error(answer.code)
  return answer.value
}
const tokensOf = async (nodeId: string, nowMs = Date.now()) => {
  const tokens = new ConsoleTokens({ now: () => nowMs }, () => nodeId)
  await tokens.learn([{ kid: consoleKey.kid, x: consoleKey.x }])
  return tokens
}

describe('the token for the files of a server', () => {
  it('is for ten minutes of calls with the permissions of its holder, and for no console or download', async () => {
    const { id, ownerId } = await addServer(database.owner, node.nodeId, { installed: true })
    const { url, path, token, expiresAt } = await given(id, ownerId)
    expect([url, path]).toEqual(['http://node.test:8080', `/servers/${id}/files`])
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'EdDSA', typ: 'files+jwt', kid: consoleKey.kid })
    const tokens = await tokensOf(node.nodeId)
    const claims = { purpose: 'files', sub: ownerId, server: id, permissions: [...PERMISSIONS], address: '192.0.2.1' }
    expect(await tokens.readFiles(token, id)).toMatchObject({ ok: true, claims })
    expect((await tokens.read(token, id)).ok).toBe(false)
    expect((await tokens.readDownload(token, id)).ok).toBe(false)
    expect((await (await tokensOf(node.nodeId, Date.parse(expiresAt) + 61_000)).readFiles(token, id)).ok).toBe(false)
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(600_000)
  })

  it('of a download names one path, and is for nothing else', async () => {
    const { id, ownerId } = await addServer(database.owner, node.nodeId, { installed: true })
    const { path, token } = await given(id, ownerId, { purpose: 'download', path: 'world/level.dat' })
    expect(path).toBe(`/servers/${id}/download`)
    const tokens = await tokensOf(node.nodeId)
    expect(await tokens.readDownload(token, id)).toMatchObject({ ok: true, claims: { path: 'world/level.dat' } })
    expect((await tokens.readFiles(token, id)).ok).toBe(false)
    expect((await tokens.readArchive(token, id)).ok).toBe(false)
  })

  it('is given for expired and suspended servers too, whose node lets nobody change anything', async () => {
    for (const change of [{ expiresAtMs: Date.now() - 1_000 }, { suspended: true }]) {
      const { id, ownerId } = await addServer(database.owner, node.nodeId, { installed: true, ...change })
      expect((await ask(id, ownerId)).ok).toBe(true)
    }
  })

  it('is refused to strangers, without the permission by its name, and while the node is away', async () => {
    const { id, ownerId } = await addServer(database.owner, node.nodeId, { installed: true })
    expect(await ask(id, systemIds.next())).toEqual({ ok: false, code: 'NOT_FOUND' })
    const subUser = systemIds.next()
    await database.owner.query(
      'insert into control.server_users (server_id, user_id, permissions, created_at) values ($1, $2, $3, now())',
      [id, subUser, ['console.read', 'file.list']],
    )
    expect((await ask(id, subUser)).ok).toBe(true)
    const refusal = { ok: false, code: 'FORBIDDEN', permission: 'file.read' }
    expect(await ask(id, subUser, { purpose: 'download', path: 'a' })).toEqual(refusal)
    await makeReachable(database.owner, node.nodeId, Date.now() - 60_000)
    expect(await ask(id, ownerId)).toEqual({ ok: false, code: 'NODE_UNREACHABLE' })
  })
})
