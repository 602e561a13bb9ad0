import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { SharedServers } from '../../factories/shared-server.ts'
import { platformDatabase, type PlatformDatabase } from '../../factories/platform-database.ts'

let database: PlatformDatabase
let servers: SharedServers
beforeAll(async () => {
  database = await platformDatabase()
  servers = await SharedServers.open(database)
})
afterEach(() => servers.setClock(undefined))
afterAll(() => database.close())

const READ = ['console.read', 'user.list', 'user.invite'] as const
const DAY_MS = 86_400_000

const scene = async () => {
  const owner = await servers.person('owner')
  const { id: serverId } = await servers.server(owner)
  const friends = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => servers.person(name)))
  const [a, b, c, d, e] = friends
  if (!a || !b || !c || !d || !e) throw new Error('five friends')
  return { owner, serverId, a, b, c, d, e }
}
const codeOf = (answer: { ok: true } | { ok: false; code: string }) => (answer.ok ? 'ok' : answer.code)

describe('the maximum of a server', () => {
  it('is that of its owner’s tier, with the invitations that wait, whoever invites', async () => {
    const { owner, serverId, a, b, c, d, e } = await scene()
    await servers.share(owner, { serverId, person: a }, { permissions: READ })
    await servers.premium(a, 'ultimus', Date.now() + DAY_MS)
    const invite = async (by: typeof a, { email }: typeof a) =>
      codeOf(await servers.invite(by, serverId, { email, permissions: READ }))
    expect(await invite(a, b)).toBe('ok')
    expect(await servers.invite(a, serverId, { email: c.email, permissions: READ })).toEqual({
      ok: false,
      code: 'COLLABORATOR_LIMIT',
      params: { limit: 2 },
    })
    expect(await servers.room(owner, serverId)).toEqual({
      ok: true,
      room: { limit: 2, used: 2, tier: 'none', next: { tier: 'essentials', limit: 4 }, ownEnd: null },
    })
    await servers.premium(owner, 'essentials', Date.now() + DAY_MS)
    expect([await invite(a, c), await invite(owner, d), await invite(owner, e)]).toEqual([
      'ok',
      'ok',
      'COLLABORATOR_LIMIT',
    ])
    await servers.decline(d, serverId)
    expect(await invite(owner, e)).toBe('ok')
  })

  it('lower after the tier has ended removes nobody, and lets nobody else in', async () => {
    const { owner, serverId, a, b, c, d } = await scene()
    const endsMs = Date.now() + DAY_MS
    await servers.premium(owner, 'essentials', endsMs)
    for (const person of [a, b, c]) await servers.share(owner, { serverId, person }, { permissions: READ })
    await servers.invite(owner, serverId, { email: d.email, permissions: READ })
    servers.setClock(endsMs)
    expect(await servers.room(owner, serverId)).toMatchObject({ room: { limit: 2, used: 4, tier: 'none' } })
    expect(codeOf(await servers.accept(d, serverId))).toBe('COLLABORATOR_LIMIT')
    expect((await servers.rows(serverId)).shares).toHaveLength(3)
    // The invitation still waits, and is accepted once there is room.
    await servers.remove(owner, serverId, a)
    await servers.remove(owner, serverId, b)
    expect(codeOf(await servers.accept(d, serverId))).toBe('ok')
  })

  it('at the moment of the tier’s end is the lower one already', async () => {
    const { owner, serverId, a, b, c } = await scene()
    const endsMs = Date.now() + DAY_MS
    await servers.premium(owner, 'essentials', endsMs)
    for (const person of [a, b]) await servers.share(owner, { serverId, person }, { permissions: READ })
    servers.setClock(endsMs)
    expect(codeOf(await servers.invite(owner, serverId, { email: c.email, permissions: READ }))).toBe(
      'COLLABORATOR_LIMIT',
    )
    servers.setClock(endsMs - 1)
    expect(codeOf(await servers.invite(owner, serverId, { email: c.email, permissions: READ }))).toBe('ok')
  })

  it('holds for invitations at once, of different people and of one person', async () => {
    const { owner, serverId, a, b, c, d } = await scene()
    await servers.share(owner, { serverId, person: a }, { permissions: READ })
    const answers = await Promise.all(
      [b, c, d].map(({ email }) => servers.invite(owner, serverId, { email, permissions: READ })),
    )
    expect(answers.map(codeOf).sort()).toEqual(['COLLABORATOR_LIMIT', 'COLLABORATOR_LIMIT', 'ok'])
    expect((await servers.rows(serverId)).invitations).toHaveLength(1)
    const second = await scene()
    const same = await Promise.all(
      [1, 2].map(() => servers.invite(second.owner, second.serverId, { email: a.email, permissions: READ })),
    )
    expect(same.map(codeOf).sort()).toEqual(['ALREADY_COLLABORATOR', 'ok'])
  })

  it('holds for answers at once, and an answer against a withdrawal leaves one of the two', async () => {
    const { owner, serverId, a, b, c } = await scene()
    await servers.premium(owner, 'essentials', Date.now() + DAY_MS)
    for (const { email } of [a, b, c]) await servers.invite(owner, serverId, { email, permissions: READ })
    await database.owner.query('delete from control.premium_purchases where user_id = $1', [owner.userId])
    const answers = await Promise.all([a, b, c].map((person) => servers.accept(person, serverId)))
    expect(answers.map(codeOf).sort()).toEqual(['COLLABORATOR_LIMIT', 'ok', 'ok'])
    expect((await servers.rows(serverId)).shares).toHaveLength(2)

    const other = await scene()
    await servers.invite(other.owner, other.serverId, { email: a.email, permissions: READ })
    const [accepted, withdrawn] = await Promise.all([
      servers.accept(a, other.serverId),
      servers.remove(other.owner, other.serverId, a),
    ])
    const { shares, invitations } = await servers.rows(other.serverId)
    // Whichever came first, the withdrawal is what the owner said: nobody is left with access.
    expect([withdrawn.ok, ['ok', 'NOT_FOUND'].includes(codeOf(accepted)), shares, invitations]).toEqual([
      true,
      true,
      [],
      [],
    ])
  })
})
