import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SinceYouLeft } from '#contracts/http/panel/since-you-left.ts'
import type { Permission } from '#contracts/panel/permissions.ts'
import { systemIds } from '#platform/ids.ts'
import { recordActivity } from '../../../control-plane/messages/notices/notify-user.ts'
import { visitPanel } from '../../../control-plane/servers/activities/visit-panel.ts'
import { markDeleted } from '../../../control-plane/servers/store/server-store.ts'
import { addNode, addServer, type FleetNode } from '../../factories/fleet.ts'
import { platformDatabase, testContext, type PlatformDatabase } from '../../factories/platform-database.ts'

const MINUTE_MS = 60_000
const EVENING_MS = Date.parse('2026-11-20T20:00:00Z')
const ALL_BUT_LOG = ['console.read', 'file.list'] as const

let database: PlatformDatabase
let node: FleetNode
let serverId = ''
let nowMs = EVENING_MS
const people = { owner: '', viewer: '', plain: '', admin: '' }

const addPerson = async (name: string): Promise<string> => {
  const id = systemIds.next()
  await database.owner.query(
    `insert into cms_api.people (id, username, identifier, email, is_admin) values ($1, $2, 'acdefghj', $3, $4)`,
    [id, `${name}-${id}`, `${id}@canary.test`, name === 'admin'],
  )
  return id
}
const share = (userId: string, permissions: readonly Permission[]) =>
  database.owner.query(
    'insert into control.server_users (server_id, user_id, permissions, created_at) values ($1, $2, $3, now())',
    [serverId, userId, permissions],
  )

beforeAll(async () => {
  database = await platformDatabase()
  node = await addNode(database.owner, 'http://node.test:8080')
})
afterAll(() => database.close())
beforeEach(async () => {
  await database.owner.query('truncate control.activities, control.server_visits')
  nowMs = EVENING_MS
  for (const name of Object.keys(people) as (keyof typeof people)[]) people[name] = await addPerson(name)
  const facts = { installed: true, state: 'offline', power: 'stopped', ownerId: people.owner } as const
  serverId = (await addServer(database.owner, node.nodeId, facts)).id
  await share(people.viewer, ['console.read', 'activity.view'])
  await share(people.plain, ALL_BUT_LOG)
})

const context = () => testContext(database.db, { clock: { now: () => nowMs } })
const callerOf = (userId: string) => ({
  userId,
  isAdmin: userId === people.admin,
  isSupport: false,
  isVerified: true,
  sessionId: null,
  locale: 'en' as const,
  address: '198.51.100.7',
})
const ask = (userId: string) => visitPanel(context(), { caller: callerOf(userId), serverId })
const visit = async (userId: string): Promise<SinceYouLeft | null> => {
  const answer = await ask(userId)
  if (!answer.ok) throw new Error(answer.code)
  return answer.visit.news
}
const happens = (facts: { type: string; userId?: string; text?: string; doneBy?: 'server' | 'system' | 'staff' }) =>
  recordActivity(database.db, context(), {
    userId: facts.userId ?? people.owner,
    serverId,
    type: facts.type,
    status: 'success',
    detail: { text: facts.text ?? '' },
    ...(facts.doneBy === undefined ? {} : { doneBy: facts.doneBy }),
  })
const seenAt = async (userId: string): Promise<number | undefined> => {
  const [row] = await database.owner.query<{ seen_at: Date }>(
    'select seen_at from control.server_visits where user_id = $1 and server_id = $2',
    [userId, serverId],
  )
  return row?.seen_at.getTime()
}
const nameOf = async (id: string): Promise<string | undefined> => {
  const [row] = await database.owner.query<{ username: string }>('select username from cms_api.people where id = $1', [
    id,
  ])
  return row?.username
}
const after = (minutes: number) => void (nowMs += minutes * MINUTE_MS)

describe('a visit', () => {
  it('is noted for the person and the server, at most once a minute, and the first one has no news', async () => {
    await happens({ type: 'server:crashed', doneBy: 'server' })
    expect(await visit(people.owner)).toBeNull()
    expect(await seenAt(people.owner)).toBe(EVENING_MS)
    nowMs += 59_999
    expect(await visit(people.owner)).toBeNull()
    expect(await seenAt(people.owner)).toBe(EVENING_MS)
    nowMs += 1
    expect(await visit(people.owner)).toBeNull()
    expect(await seenAt(people.owner)).toBe(EVENING_MS + MINUTE_MS)
    expect(await seenAt(people.viewer)).toBeUndefined()
  })

  it('after ten minutes tells what happened meanwhile, once, and nothing from before', async () => {
    await happens({ type: 'server:reinstall.wipe', userId: people.viewer })
    after(1)
    await visit(people.owner)
    after(4)
    await happens({ type: 'server.restart', userId: people.plain })
    after(5)
    const atMs = nowMs
    await happens({ type: 'server:power.restart', userId: people.plain })
    await happens({ type: 'server:crashed', doneBy: 'server' })
    after(1)
    const plain = { id: people.plain, name: await nameOf(people.plain), role: 'member', pictureId: null }
    const last = new Date(atMs).toISOString()
    expect(await visit(people.owner)).toEqual({
      since: new Date(EVENING_MS + MINUTE_MS).toISOString(),
      lines: [
        { kind: 'crashed', type: 'server:crashed', group: 'state', actor: 'server', count: 1, last, detail: '' },
        { kind: 'restarted', type: 'server:power.restart', group: 'power', actor: plain, count: 2, last, detail: '' },
      ],
      more: 0,
    })
    expect(await visit(people.owner)).toBeNull()
    after(1)
    expect(await visit(people.owner)).toBeNull()
  })

  it('of ten minutes less a moment is no absence, and one without news says nothing', async () => {
    await visit(people.owner)
    await happens({ type: 'server.restart', userId: people.plain })
    nowMs += 10 * MINUTE_MS - 1
    expect(await visit(people.owner)).toBeNull()
    after(30)
    await happens({ type: 'server.stop', userId: people.owner })
    after(30)
    expect(await visit(people.owner)).toBeNull()
  })

  it('of two browsers at once has one absence', async () => {
    await visit(people.owner)
    after(10)
    await happens({ type: 'server:file.write', userId: people.viewer })
    // Both have begun before either of them can write.
    const both = await database.owner.transaction(async (tx) => {
      await tx.query('select from control.server_visits where user_id = $1 for update', [people.owner])
      const asked = [visit(people.owner), visit(people.owner)]
      await new Promise((done) => setTimeout(done, 300))
      return asked
    })
    expect((await Promise.all(both)).filter((news) => news !== null)).toHaveLength(1)
  })
})

describe('what a reader learns', () => {
  const absence = async (userId: string, happening: () => Promise<unknown>): Promise<SinceYouLeft | null> => {
    await visit(userId)
    after(30)
    await happening()
    after(1)
    return visit(userId)
  }
  const everything = async () => {
    await happens({ type: 'server.restart', userId: people.owner })
    await happens({ type: 'server:file.write', userId: people.owner, text: 'secret.yml' })
    await happens({ type: 'server.renewed', userId: people.owner })
    await happens({ type: 'server:crashed', doneBy: 'server', text: 'It ended with the exit code 1.' })
  }

  it('without the permission to view activities is what the console shows, and no name at all', async () => {
    const news = await absence(people.plain, everything)
    expect(news?.lines.map(({ kind, actor, detail }) => [kind, actor, detail])).toEqual([
      ['crashed', null, ''],
      ['restarted', null, ''],
    ])
    expect(news?.more).toBe(0)
    expect(JSON.stringify(news)).not.toContain(people.owner)
  })

  it('with it are names, but neither the contract nor a path that they may not list', async () => {
    const news = await absence(people.viewer, everything)
    expect(news?.lines.map(({ kind, detail }) => [kind, detail])).toEqual([
      ['crashed', 'It ended with the exit code 1.'],
      ['restarted', ''],
      ['files', ''],
    ])
    expect(news).toMatchObject({ more: 0 })
    expect(news?.lines[2]?.actor).toMatchObject({ id: people.owner, role: 'owner' })
  })

  it('the owner reads of renewals and paths, and never the lines of staff’s books', async () => {
    const news = await absence(people.owner, async () => {
      await happens({ type: 'server:file.write', userId: people.viewer, text: 'secret.yml' })
      await happens({ type: 'server.auto-renewed', doneBy: 'system' })
      await happens({ type: 'server.restart', userId: people.admin, doneBy: 'staff' })
    })
    expect(news?.lines.map(({ kind, actor, detail }) => [kind, typeof actor, detail])).toEqual([
      ['files', 'object', 'secret.yml'],
      ['renewed', 'string', ''],
    ])
  })

  it('requires the permission to read the console; a strange server is none, a suspended one is closed', async () => {
    const other = await addPerson('other')
    await share(other, ['activity.view'])
    expect(await ask(other)).toEqual({ ok: false, code: 'FORBIDDEN', permission: 'console.read' })
    expect(await ask(systemIds.next())).toEqual({ ok: false, code: 'NOT_FOUND' })
    await database.owner.query('update control.servers set suspended = true where id = $1', [serverId])
    expect(await ask(people.owner)).toEqual({ ok: false, code: 'SERVER_SUSPENDED' })
    expect(await ask(people.admin)).toMatchObject({ ok: true })
    for (const id of [other, people.owner]) expect(await seenAt(id)).toBeUndefined()
  })
})

describe('a visit is forgotten', () => {
  it('with the share of its person, whichever way it ends, and not with that of another', async () => {
    for (const id of [people.plain, people.viewer, people.owner]) await visit(id)
    await database.owner.query('delete from control.server_users where user_id = $1', [people.plain])
    expect(await seenAt(people.plain)).toBeUndefined()
    expect(await seenAt(people.viewer)).toBe(EVENING_MS)
    expect(await seenAt(people.owner)).toBe(EVENING_MS)
  })

  it('with its server, and not with a change of it', async () => {
    await visit(people.owner)
    await database.owner.query(`update control.servers set name = 'another' where id = $1`, [serverId])
    expect(await seenAt(people.owner)).toBe(EVENING_MS)
    await database.db.transaction((tx) => markDeleted(tx, serverId, nowMs))
    expect(await seenAt(people.owner)).toBeUndefined()
  })
})
