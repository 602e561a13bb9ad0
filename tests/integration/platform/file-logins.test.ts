import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { FileLoginAnswer } from '#contracts/logins/file-login.ts'
import {
  answerLogin,
  checkFileLogins,
  fileLogin,
  type SiteLogins,
} from '../../../control-plane/servers/access/file-logins.ts'
import { REFUSED_LINES } from '#contracts/logins/refused-lines.ts'
import { withNeeds } from '#domain/servers/permissions.ts'
import { systemIds } from '#platform/ids.ts'
import { PERMISSIONS } from '../../../src/contracts/panel/permissions.ts'
import { addNode, addServer, type FleetNode } from '../../factories/fleet.ts'
import { platformDatabase, testContext, type PlatformDatabase } from '../../factories/platform-database.ts'

let database: PlatformDatabase
let node: FleetNode
let elsewhere: FleetNode
beforeAll(async () => {
  database = await platformDatabase()
  node = await addNode(database.owner, 'http://node.test:8080')
  elsewhere = await addNode(database.owner, 'http://elsewhere.test:8080')
})
afterAll(() => database.close())

const PROOF = { password: 'a password' }
const credential = { kind: 'password', id: null, sinceMs: 0 } as const
/** A site that knows one person, and says of every open connection that it holds. */
const siteThatKnows = (userId: string, isAdmin = false): SiteLogins => ({
  login: ({ proof }) =>
    Promise.resolve<FileLoginAnswer>(
      'password' in proof && proof.password === PROOF.password
        ? { ok: true, userId, isAdmin, credential }
        : { ok: false, why: 'refused' },
    ),
  check: ({ logins }) => Promise.resolve({ grants: logins.map(() => ({ isAdmin })) }),
})
const identifierOf = async (id: string): Promise<string> => {
  const [row] = await database.owner.query<{ identifier: string }>(
    'select identifier from control.servers where id = $1',
    [id],
  )
  return row?.identifier ?? ''
}
const signIn = async (serverId: string, siteLogins: SiteLogins, nodeId = node.nodeId) =>
  fileLogin(
    { ...testContext(database.db), siteLogins },
    {
      nodeId,
      request: { username: 'anna', identifier: await identifierOf(serverId), address: '192.0.2.1', proof: PROOF },
    },
  )
const share = (serverId: string, userId: string, permissions: readonly string[]) =>
  database.owner.query(
    `insert into control.server_users (server_id, user_id, permissions, created_at) values ($1, $2, $3, now())
     on conflict (server_id, user_id) do update set permissions = excluded.permissions`,
    [serverId, userId, permissions],
  )

describe('a sign-in by SFTP', () => {
  it('gives its owner everything, a sub-user what was shared, and nobody else anything', async () => {
    const { id, ownerId } = await addServer(database.owner, node.nodeId, { installed: true })
    expect(await signIn(id, siteThatKnows(ownerId))).toEqual({
      ok: true,
      userId: ownerId,
      serverId: id,
      permissions: [...PERMISSIONS],
      credential,
    })
    const friend = systemIds.next()
    expect(await signIn(id, siteThatKnows(friend))).toEqual({ ok: false, why: 'refused' })
    await share(id, friend, ['file.list', 'file.read'])
    expect(await signIn(id, siteThatKnows(friend))).toEqual({ ok: false, why: 'no permission' })
    await share(id, friend, ['file.list', 'file.read', 'file.sftp'])
    const answer = await signIn(id, siteThatKnows(friend))
    expect(answer.ok && [...answer.permissions].sort()).toEqual(['file.list', 'file.read', 'file.sftp'])
    expect(await signIn(id, siteThatKnows(friend, true))).toMatchObject({ ok: true, permissions: [...PERMISSIONS] })
  })

  it.each(PERMISSIONS)('with %s alone, and with every other one', async (permission) => {
    const { id } = await addServer(database.owner, node.nodeId, { installed: true })
    const friend = systemIds.next()
    const refused = { ok: false, why: 'no permission' }
    await share(id, friend, withNeeds([permission]))
    expect(await signIn(id, siteThatKnows(friend))).toMatchObject(permission === 'file.sftp' ? { ok: true } : refused)
    // Without what it needs, a permission counts for nothing.
    const isNeeded = withNeeds(['file.sftp']).includes(permission)
    await share(
      id,
      friend,
      PERMISSIONS.filter((other) => other !== permission),
    )
    expect(await signIn(id, siteThatKnows(friend))).toMatchObject(isNeeded ? refused : { ok: true })
  })

  it('with a wrong password, or without the permission, leaves a bounded number of lines on the server', async () => {
    const { id, ownerId } = await addServer(database.owner, node.nodeId, { installed: true })
    const wrong = (named?: string): SiteLogins => ({
      ...siteThatKnows(ownerId),
      login: () => Promise.resolve({ ok: false, why: 'refused', ...(named && { named }) }),
    })
    for (let times = 0; times < REFUSED_LINES + 2; times += 1) {
      expect(await signIn(id, wrong(ownerId))).toEqual({ ok: false, why: 'refused' })
    }
    // A stranger, a name that nobody has, and another node leave nothing.
    await signIn(id, wrong(systemIds.next()))
    await signIn(id, wrong())
    await signIn(id, wrong(ownerId), elsewhere.nodeId)
    const friend = systemIds.next()
    await share(id, friend, ['file.list'])
    await signIn(id, siteThatKnows(friend))
    const lines = await database.owner.query(
      `select type, status, way, user_id, ip_address, detail, count(*)::int from control.activities where server_id = $1
       group by 1, 2, 3, 4, 5, 6 order by type`,
      [id],
    )
    const row = { status: 'failure', way: 'sftp', ip_address: '192.0.2.1' }
    expect(lines).toEqual([
      { ...row, type: 'auth:sftp.fail', user_id: ownerId, detail: {}, count: REFUSED_LINES },
      { ...row, type: 'server:sftp.denied', user_id: friend, detail: { text: 'file.sftp' }, count: 1 },
    ])
  })

  it('counts only on the node that the server is on, and not after its deletion', async () => {
    const { id, ownerId } = await addServer(database.owner, node.nodeId, { installed: true })
    expect(await signIn(id, siteThatKnows(ownerId), elsewhere.nodeId)).toEqual({ ok: false, why: 'refused' })
    await database.owner.query('update control.servers set deleted_at = now() where id = $1', [id])
    expect(await signIn(id, siteThatKnows(ownerId))).toEqual({ ok: false, why: 'refused' })
  })

  it('that nobody can check is neither right nor wrong', async () => {
    const { id } = await addServer(database.owner, node.nodeId, { installed: true })
    const away = { login: () => Promise.reject(new Error('away')), check: () => Promise.reject(new Error('away')) }
    const deps = { ...testContext(database.db), siteLogins: away }
    const questionId = systemIds.next()
    const request = { username: 'anna', identifier: await identifierOf(id), address: '192.0.2.1', proof: PROOF }
    const answer = { type: 'login', id: questionId, answer: { ok: false, why: 'away' } }
    expect(await answerLogin(deps, node.nodeId, { type: 'login', id: questionId, request })).toEqual(answer)
    const open = [{ userId: systemIds.next(), serverId: id, credential }]
    expect(await answerLogin(deps, node.nodeId, { type: 'logins', id: questionId, open })).toBeUndefined()
  })
})

describe('open connections', () => {
  it('go on with the present permissions, and end with the share, the permission, the server and the credential', async () => {
    const { id, ownerId } = await addServer(database.owner, node.nodeId, { installed: true })
    const friend = systemIds.next()
    await share(id, friend, ['file.list', 'file.sftp'])
    const logins = [ownerId, friend].map((userId) => ({ userId, serverId: id, credential }))
    const check = (siteLogins: SiteLogins, nodeId = node.nodeId) =>
      checkFileLogins({ ...testContext(database.db), siteLogins }, { nodeId, logins })
    const site = siteThatKnows(friend)
    const before = await check(site)
    expect([before[0]?.length, before[1]]).toEqual([PERMISSIONS.length, ['file.list', 'file.sftp']])
    await share(id, friend, ['file.list'])
    expect((await check(site))[1]).toBeNull()
    await database.owner.query('delete from control.server_users where server_id = $1', [id])
    expect((await check(site))[1]).toBeNull()
    expect(await check(site, elsewhere.nodeId)).toEqual([null, null])
    expect(await check({ ...site, check: () => Promise.resolve({ grants: [null, null] }) })).toEqual([null, null])
  })
})
