import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PERMISSIONS, type Permission } from '#contracts/panel/permissions.ts'
import { accessOf } from '../../../control-plane/servers/access/server-access.ts'
import { SharedServers, type SharedPerson } from '../../factories/shared-server.ts'
import { platformDatabase, type PlatformDatabase } from '../../factories/platform-database.ts'

let database: PlatformDatabase
let servers: SharedServers
beforeAll(async () => {
  database = await platformDatabase()
  servers = await SharedServers.open(database)
})
afterAll(() => database.close())

const READ = ['console.read'] as const
const MANAGER = ['console.read', 'user.list', 'user.invite', 'user.update', 'user.remove'] as const

/** An owner with a server and room for eight, and a friend. */
const scene = async () => {
  const [owner, friend] = [await servers.person('owner'), await servers.person('friend')]
  await servers.premium(owner, 'maximus', Date.now() + 86_400_000)
  const { id: serverId } = await servers.server(owner)
  return { owner, friend, serverId }
}
const mayNow = async (person: SharedPerson, serverId: string) =>
  (await accessOf(database.db, person, serverId))?.permissions
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

describe('an invitation', () => {
  it('allows nothing until the invited person accepts, and is told by bell', async () => {
    const { owner, friend, serverId } = await scene()
    const invited = await servers.invite(owner, serverId, {
      email: friend.email.toUpperCase(),
      permissions: ['console.command'],
    })
    expect(invited).toMatchObject({ ok: true, share: { state: 'pending', userId: friend.userId } })
    expect(await mayNow(friend, serverId)).toBeUndefined()
    expect(await servers.bells(friend)).toEqual(['server.invited'])
    expect(await servers.invitations(friend)).toMatchObject([
      { serverId, serverName: 'Test', invitedBy: owner.username, owner: owner.username, endsAt: null },
    ])
    expect(await servers.accept(friend, serverId)).toEqual({ ok: true })
    // The tick brought what it needs.
    expect(await mayNow(friend, serverId)).toEqual(['console.command', 'console.read'])
    expect(await servers.rows(serverId)).toMatchObject({ shares: [{ user_id: friend.userId }], invitations: [] })
    expect(await servers.bells(owner)).toEqual(['server.joined'])
    expect(await servers.activities(serverId)).toEqual([
      [owner.userId, 'server:subuser.create'],
      [friend.userId, 'server:subuser.accept'],
    ])
  })

  it('can be declined, after which nothing is left of it', async () => {
    const { owner, friend, serverId } = await scene()
    await servers.invite(owner, serverId, { email: friend.email, permissions: READ })
    expect(await servers.decline(friend, serverId)).toEqual({ ok: true })
    expect(await servers.rows(serverId)).toEqual({ shares: [], invitations: [] })
    expect(await servers.accept(friend, serverId)).toEqual({ ok: false, code: 'NOT_FOUND' })
    expect(await servers.bells(owner)).toEqual(['server.declined'])
  })

  it('is nobody else’s to answer, and is over once it was withdrawn or has expired', async () => {
    const { owner, friend, serverId } = await scene()
    const stranger = await servers.person('stranger')
    await servers.invite(owner, serverId, { email: friend.email, permissions: READ })
    expect(await servers.accept(stranger, serverId)).toEqual({ ok: false, code: 'NOT_FOUND' })
    expect(await servers.remove(owner, serverId, friend)).toEqual({ ok: true })
    expect(await servers.accept(friend, serverId)).toEqual({ ok: false, code: 'NOT_FOUND' })
    await servers.invite(owner, serverId, { email: friend.email, permissions: READ })
    await database.owner.query(
      `update control.server_invitations set expires_at = now() - interval '1 second' where server_id = $1`,
      [serverId],
    )
    expect(await servers.invitations(friend)).toEqual([])
    expect(await servers.accept(friend, serverId)).toEqual({ ok: false, code: 'NOT_FOUND' })
    // An expired one holds no place and is replaced.
    expect(await servers.invite(owner, serverId, { email: friend.email, permissions: READ })).toMatchObject({
      ok: true,
    })
    expect(await servers.rows(serverId)).toMatchObject({ shares: [], invitations: [{ user_id: friend.userId }] })
  })

  it('is refused for whoever is there already, the owner and oneself, with an end in the past, and by the unverified', async () => {
    const { owner, friend, serverId } = await scene()
    const code = async (caller: SharedPerson, email: string, endsAt: string | null = null) => {
      const answer = await servers.invite(caller, serverId, { email, permissions: READ, endsAt })
      return answer.ok ? 'ok' : answer.code
    }
    expect(await code(owner, friend.email, new Date(Date.now() - 1).toISOString())).toBe('VALIDATION')
    expect(await code({ ...owner, isVerified: false }, friend.email)).toBe('EMAIL_NOT_VERIFIED')
    expect(await code(owner, owner.email)).toBe('OWNER_HAS_ALL')
    expect(await code(owner, friend.email)).toBe('ok')
    expect(await code(owner, friend.email)).toBe('ALREADY_COLLABORATOR')
    await servers.accept(friend, serverId)
    expect(await code(owner, friend.email)).toBe('ALREADY_COLLABORATOR')
    const manager = await servers.person('manager')
    await servers.share(owner, { serverId, person: manager }, { permissions: MANAGER })
    expect(await code(manager, manager.email)).toBe('ALREADY_COLLABORATOR')
    expect((await servers.rows(serverId)).invitations).toEqual([])
  })

  it('finds no account that only claims an address, and none that is erased', async () => {
    const { owner, serverId } = await scene()
    const claiming = await servers.person('claiming', { verified: false })
    const erased = await servers.person('erased')
    await database.owner.query('insert into cms_api.erased_people (id) values ($1)', [erased.userId])
    for (const email of [claiming.email, erased.email, 'nobody@example.test']) {
      const answer = await servers.invite(owner, serverId, { email, permissions: READ })
      expect(answer).toEqual({ ok: false, code: 'COLLABORATOR_UNKNOWN' })
    }
    expect(await servers.rows(serverId)).toEqual({ shares: [], invitations: [] })
  })

  it('tells about ten addresses an hour for one owner, whoever asks, and about none without the right to invite', async () => {
    const { owner, friend, serverId } = await scene()
    const { id: secondId } = await servers.server(owner)
    const manager = await servers.person('manager')
    await servers.share(owner, { serverId, person: manager }, { permissions: MANAGER })
    const code = async (caller: SharedPerson, at: string, email: string) => {
      const answer = await servers.invite(caller, at, { email, permissions: READ })
      return answer.ok ? 'ok' : answer.code
    }
    for (let each = 0; each < 5; each += 1)
      expect(await code(owner, secondId, 'nobody@example.test')).toBe('COLLABORATOR_UNKNOWN')
    for (let each = 0; each < 5; each += 1)
      expect(await code(manager, serverId, 'nobody@example.test')).toBe('COLLABORATOR_UNKNOWN')
    expect(await code(manager, serverId, friend.email)).toBe('TOO_MANY_REQUESTS')
    const refused = await servers.invite(owner, serverId, { email: friend.email, permissions: READ })
    expect(refused).toMatchObject({ ok: false, code: 'TOO_MANY_REQUESTS' })
    const seconds = refused.ok ? 0 : Number(refused.params?.['retryAfterSeconds'])
    expect(seconds).toBeGreaterThan(3_500)
    expect(seconds).toBeLessThanOrEqual(3_600)
    // The tries of a person count at every owner's servers.
    const other = await scene()
    await servers.share(other.owner, { serverId: other.serverId, person: manager }, { permissions: MANAGER })
    await database.owner.query(
      `insert into control.invitation_tries (id, owner_id, user_id, tried_at)
       select gen_random_uuid(), $1, $2, now() from generate_series(1, 5)`,
      [owner.userId, manager.userId],
    )
    expect(await code(manager, other.serverId, friend.email)).toBe('TOO_MANY_REQUESTS')
    expect(await code(other.owner, other.serverId, friend.email)).toBe('ok')
    const reader = await servers.person('reader')
    const lacking = (permission: Permission) => ({ ok: false, code: 'FORBIDDEN', params: { permission } })
    await servers.share(other.owner, { serverId: other.serverId, person: reader }, { permissions: ['user.list'] })
    const before = await database.owner.query('select id from control.invitation_tries')
    for (const email of ['nobody@example.test', friend.email]) {
      const answer = await servers.invite(reader, other.serverId, { email, permissions: ['user.list'] })
      expect(answer).toEqual(lacking('user.invite'))
    }
    expect(await servers.remove(reader, other.serverId, manager)).toEqual(lacking('user.remove'))
    expect(await database.owner.query('select id from control.invitation_tries')).toHaveLength(before.length)
  })
})

describe('the rights of whoever shares', () => {
  it('nobody gives, edits or removes more than they have, and nobody edits themselves or the owner', async () => {
    const { owner, friend, serverId } = await scene()
    const [manager, mighty] = [await servers.person('manager'), await servers.person('mighty')]
    await servers.share(owner, { serverId, person: manager }, { permissions: MANAGER })
    await servers.share(owner, { serverId, person: mighty }, { permissions: PERMISSIONS })
    await servers.share(owner, { serverId, person: friend }, { permissions: READ })
    const before = await servers.rows(serverId)
    const change = (person: SharedPerson, permissions: readonly Permission[], seen: readonly Permission[]) =>
      servers.change(manager, { serverId, person }, { permissions, seen: { permissions: seen } })
    const stranger = await servers.person('stranger')
    expect(await servers.invite(manager, serverId, { email: stranger.email, permissions: ['control.start'] })).toEqual({
      ok: false,
      code: 'MORE_THAN_OWN',
    })
    expect(await change(friend, ['console.read', 'control.start'], READ)).toMatchObject({ code: 'MORE_THAN_OWN' })
    expect(await change(mighty, READ, PERMISSIONS)).toMatchObject({ code: 'MORE_THAN_OWN' })
    expect(await change(manager, READ, MANAGER)).toMatchObject({ code: 'OWN_SHARE' })
    expect(await change(owner, READ, PERMISSIONS)).toMatchObject({ code: 'OWNER_HAS_ALL' })
    expect(await servers.remove(manager, serverId, mighty)).toMatchObject({ code: 'MORE_THAN_OWN' })
    expect(await servers.remove(manager, serverId, owner)).toMatchObject({ code: 'OWNER_HAS_ALL' })
    expect(await servers.remove(owner, serverId, owner)).toMatchObject({ code: 'OWNER_HAS_ALL' })
    expect(
      await servers.change(
        friend,
        { serverId, person: manager },
        { permissions: READ, seen: { permissions: MANAGER } },
      ),
    ).toEqual({
      ok: false,
      code: 'FORBIDDEN',
      params: { permission: 'user.update' },
    })
    expect(await servers.rows(serverId)).toEqual(before)
    expect(await change(friend, ['console.read', 'user.list'], READ)).toMatchObject({ ok: true })
    expect(await mayNow(friend, serverId)).toEqual(['console.read', 'user.list'])
  })

  it('nobody gives more time than they have, nor changes the time of permissions that they lack', async () => {
    const { owner, friend, serverId } = await scene()
    const [guest, mighty] = [await servers.person('guest'), await servers.person('mighty')]
    await servers.share(owner, { serverId, person: guest }, { permissions: MANAGER, endsAt: inDays(2) })
    await servers.share(owner, { serverId, person: mighty }, { permissions: PERMISSIONS, endsAt: inDays(1) })
    const give = (endsAt: string | null) =>
      servers.invite(guest, serverId, { email: friend.email, permissions: READ, endsAt })
    expect(await give(null)).toMatchObject({ code: 'MORE_THAN_OWN' })
    expect(await give(inDays(3))).toMatchObject({ code: 'MORE_THAN_OWN' })
    const [{ endsAt }] = await people(owner, serverId, mighty)
    const longer = { permissions: PERMISSIONS, endsAt: inDays(1.5), seen: { permissions: PERMISSIONS, endsAt } }
    expect(await servers.change(guest, { serverId, person: mighty }, longer)).toMatchObject({ code: 'MORE_THAN_OWN' })
    expect(await give(inDays(1))).toMatchObject({ ok: true })
  })

  it('an invitation is worth nothing once its sender could not give it any more', async () => {
    const { owner, friend, serverId } = await scene()
    const manager = await servers.person('manager')
    await servers.share(owner, { serverId, person: manager }, { permissions: MANAGER })
    await servers.invite(manager, serverId, { email: friend.email, permissions: READ })
    const without = { permissions: ['user.list', 'user.invite'] as const, seen: { permissions: MANAGER } }
    expect(await servers.change(owner, { serverId, person: manager }, without)).toMatchObject({ ok: true })
    expect(await servers.accept(friend, serverId)).toEqual({ ok: false, code: 'NOT_FOUND' })
    expect(await mayNow(friend, serverId)).toBeUndefined()
    await servers.invite(manager, serverId, { email: friend.email, permissions: ['user.list'] })
    await servers.remove(owner, serverId, manager)
    expect(await servers.rows(serverId)).toEqual({ shares: [], invitations: [] })
  })

  it('an edit of what somebody else changed meanwhile is refused, and one by whoever lost the right too', async () => {
    const { owner, friend, serverId } = await scene()
    const manager = await servers.person('manager')
    await servers.share(owner, { serverId, person: manager }, { permissions: MANAGER })
    await servers.share(owner, { serverId, person: friend }, { permissions: READ })
    const edit = { permissions: ['console.read', 'user.list'] as const, seen: { permissions: READ } }
    expect(await servers.change(owner, { serverId, person: friend }, edit)).toMatchObject({ ok: true })
    expect(await servers.change(manager, { serverId, person: friend }, edit)).toMatchObject({ code: 'SHARE_CHANGED' })
    const seen = { permissions: MANAGER }
    await servers.change(owner, { serverId, person: manager }, { permissions: ['user.list', 'user.invite'], seen })
    const open = { permissions: READ, seen: { permissions: edit.permissions } }
    expect(await servers.change(manager, { serverId, person: friend }, open)).toEqual({
      ok: false,
      code: 'FORBIDDEN',
      params: { permission: 'user.update' },
    })
    expect(await mayNow(friend, serverId)).toEqual(['console.read', 'user.list'])
  })

  it('everybody may leave, without any permission', async () => {
    const { owner, friend, serverId } = await scene()
    await servers.share(owner, { serverId, person: friend }, { permissions: READ })
    expect(await servers.remove(friend, serverId, friend)).toEqual({ ok: true })
    expect(await servers.rows(serverId)).toEqual({ shares: [], invitations: [] })
    expect((await servers.activities(serverId)).at(-1)).toEqual([friend.userId, 'server:subuser.leave'])
    expect(await servers.bells(friend)).toEqual(['server.invited'])
  })

  it('an administrator manages every server, and a stranger none', async () => {
    const { owner, friend, serverId } = await scene()
    const admin = await servers.person('admin', { isAdmin: true })
    await servers.share(owner, { serverId, person: friend }, { permissions: READ })
    const stranger = await servers.person('stranger')
    for (const answer of [
      await servers.list(stranger, serverId),
      await servers.room(stranger, serverId),
      await servers.remove(stranger, serverId, friend),
    ]) {
      expect(answer).toEqual({ ok: false, code: 'NOT_FOUND' })
    }
    expect(await servers.remove(admin, serverId, friend)).toEqual({ ok: true })
    expect(await servers.bells(friend)).toEqual(['server.invited', 'server.access-ended'])
  })
})

const people = async (caller: SharedPerson, serverId: string, person: SharedPerson) => {
  const answer = await servers.list(caller, serverId)
  if (!answer.ok) throw new Error(answer.code)
  const found = answer.people.filter(({ id }) => id === person.userId)
  if (found[0] === undefined) throw new Error('not in the list')
  return [found[0]] as const
}

describe('the list', () => {
  it('shows shares and pending invitations with their times, the newest first', async () => {
    const { owner, friend, serverId } = await scene()
    const pending = await servers.person('pending')
    const endsAt = inDays(3)
    await servers.share(owner, { serverId, person: friend }, { permissions: READ, endsAt })
    await servers.invite(owner, serverId, { email: pending.email, permissions: READ })
    const answer = await servers.list(owner, serverId)
    expect(answer.ok && answer.people).toMatchObject([
      { id: pending.userId, email: pending.email, state: 'pending', endsAt: null, permissions: READ },
      { id: friend.userId, username: friend.username, state: 'active', endsAt, expiresAt: null },
    ])
    expect(await servers.list(friend, serverId)).toEqual({
      ok: false,
      code: 'FORBIDDEN',
      params: { permission: 'user.list' },
    })
  })
})
