import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PERMISSIONS } from '#contracts/panel/permissions.ts'
import { serversOf, SHOWN_SERVERS } from '#contracts/control-api/shown-server.ts'
import { loadConsoleKey, type ConsoleKey } from '../../../control-plane/servers/access/console-keys.ts'
import { consoleToken } from '../../../control-plane/servers/access/console-token.ts'
import { recentlyEnded } from '../../../control-plane/servers/access/end-sessions.ts'
import { filesToken } from '../../../control-plane/servers/access/files-token.ts'
import { accessOf } from '../../../control-plane/servers/access/server-access.ts'
import { listServers } from '../../../control-plane/servers/store/read-servers.ts'
import { readersOf } from '../../../control-plane/servers/store/server-store.ts'
import { SharedServers, type SharedPerson } from '../../factories/shared-server.ts'
import { platformDatabase, type PlatformDatabase } from '../../factories/platform-database.ts'

let database: PlatformDatabase
let servers: SharedServers
let consoleKey: ConsoleKey
beforeAll(async () => {
  database = await platformDatabase()
  servers = await SharedServers.open(database)
  consoleKey = await loadConsoleKey(servers.context, 'the secret of the control plane')
})
afterAll(() => database.close())

const TERMS = { permissions: ['console.read', 'file.list', 'file.sftp'] } as const
const MINUTES_MS = 60_000

const scene = async (endsAt: string | null = null) => {
  const [owner, friend] = [await servers.person('owner'), await servers.person('friend')]
  const { id: serverId } = await servers.server(owner)
  await servers.share(owner, { serverId, person: friend }, { ...TERMS, endsAt })
  return { owner, friend, serverId }
}
const tokens = async (caller: SharedPerson, serverId: string) => {
  const deps = { ...servers.context, consoleKey }
  return [
    await consoleToken(deps, { caller, serverId }),
    await filesToken(deps, { caller, serverId, request: { purpose: 'files' } }),
  ] as const
}
const end = (serverId: string) =>
  database.owner.query(`update control.server_users set ends_at = now() - interval '1 second' where server_id = $1`, [
    serverId,
  ])

describe('a share that ends by itself', () => {
  it('bounds the tokens of its person, and is revoked at its moment', async () => {
    const endsAtMs = Date.now() + 5 * MINUTES_MS
    const { friend, owner, serverId } = await scene(new Date(endsAtMs).toISOString())
    for (const answer of await tokens(friend, serverId)) {
      if (!answer.ok) throw new Error(answer.code)
      expect(decodeJwt(answer.value.token).exp).toBe(Math.floor(endsAtMs / 1_000))
    }
    for (const answer of await tokens(owner, serverId)) {
      if (!answer.ok) throw new Error(answer.code)
      const { exp = 0, iat = 0 } = decodeJwt(answer.value.token)
      expect(exp - iat).toBe(600)
    }
    const [revocation] = await servers.revocations(serverId)
    expect(revocation?.payload).toEqual({
      nodeId: null,
      serverId,
      userId: friend.userId,
      sessionId: null,
      issuedBeforeMs: endsAtMs,
    })
    expect(Math.abs((revocation?.available_at.getTime() ?? 0) - endsAtMs)).toBeLessThan(1_000)
  })

  it('is over at that moment for every reader, before its row is removed', async () => {
    const { owner, friend, serverId } = await scene(new Date(Date.now() + 5 * MINUTES_MS).toISOString())
    await end(serverId)
    expect((await servers.rows(serverId)).shares).toHaveLength(1)
    expect(await accessOf(database.db, friend, serverId)).toBeUndefined()
    expect(await tokens(friend, serverId)).toEqual([
      { ok: false, code: 'NOT_FOUND' },
      { ok: false, code: 'NOT_FOUND' },
    ])
    expect(await listServers(servers.context, { caller: friend })).toEqual([])
    expect(await database.db.query(`${SHOWN_SERVERS} where ${serversOf('$1')}`, [friend.userId])).toEqual([])
    expect(await readersOf(database.db, serverId)).toEqual([owner.userId])
    expect(await servers.list(owner, serverId)).toEqual({ ok: true, people: [] })
    expect(await servers.invite(owner, serverId, { email: friend.email, ...TERMS })).toMatchObject({ ok: true })
    expect(await servers.accept(friend, serverId)).toEqual({ ok: true })
    expect((await accessOf(database.db, friend, serverId))?.endsAtMs).toBeNull()
  })

  it('is removed by the next round, once, which tells its person and its owner', async () => {
    const { owner, friend, serverId } = await scene(new Date(Date.now() + 5 * MINUTES_MS).toISOString())
    await end(serverId)
    // Another process is at it: this one leaves the row to it.
    await database.db.transaction(async (tx) => {
      await tx.query('select 1 from control.server_users where server_id = $1 for update', [serverId])
      expect(await servers.endShares()).toBe(0)
    })
    expect(await servers.endShares()).toBe(1)
    expect(await servers.rows(serverId)).toEqual({ shares: [], invitations: [] })
    expect(await servers.bells(friend)).toEqual(['server.invited', 'server.access-ended'])
    expect((await servers.activities(serverId)).at(-1)).toEqual([owner.userId, 'server:subuser.end'])
    expect(await servers.endShares()).toBe(0)
  })
})

describe('a changed or removed share', () => {
  it.each(['change', 'remove', 'leave'] as const)('revokes every token from before, after a %s', async (how) => {
    const { owner, friend, serverId } = await scene()
    const place = { serverId, person: friend }
    const beforeMs = Date.now()
    const answer =
      how === 'change'
        ? await servers.change(owner, place, { permissions: ['file.list'], seen: TERMS })
        : await servers.remove(how === 'leave' ? friend : owner, serverId, friend)
    expect(answer.ok).toBe(true)
    const [revocation] = await servers.revocations(serverId)
    expect(revocation?.payload).toMatchObject({ serverId, userId: friend.userId, sessionId: null })
    // A token whose permissions were read just before the commit is from before it, too.
    expect(revocation?.payload.issuedBeforeMs).toBeGreaterThanOrEqual(beforeMs + 1_000)
    // A node that was away hears of it when it is back.
    const repeated = await recentlyEnded(servers.context)
    expect(repeated).toContainEqual({
      serverId,
      userId: friend.userId,
      sessionId: null,
      issuedBeforeMs: revocation?.payload.issuedBeforeMs,
    })
  })

  it('is dated by the time at which its permissions were read, not by that of the signature', async () => {
    const { owner, friend, serverId } = await scene()
    const times = [Date.now(), Date.now() + 10_000]
    const clock = { now: () => times.shift() ?? Date.now() + 10_000 }
    const askedAtMs = times[0] ?? 0
    const answer = await consoleToken({ ...servers.context, clock, consoleKey }, { caller: friend, serverId })
    if (!answer.ok) throw new Error(answer.code)
    expect(decodeJwt(answer.value.token).iat).toBe(Math.floor(askedAtMs / 1_000))
    expect((await tokens(owner, serverId))[0].ok).toBe(true)
  })

  it('of an invitation revokes nothing, because nothing was allowed', async () => {
    const [owner, friend] = [await servers.person('owner'), await servers.person('friend')]
    const { id: serverId } = await servers.server(owner)
    await servers.invite(owner, serverId, { email: friend.email, permissions: PERMISSIONS })
    const seen = { permissions: PERMISSIONS }
    expect(await servers.change(owner, { serverId, person: friend }, { ...TERMS, seen })).toMatchObject({ ok: true })
    expect(await servers.remove(owner, serverId, friend)).toEqual({ ok: true })
    expect(await servers.revocations(serverId)).toEqual([])
  })
})
