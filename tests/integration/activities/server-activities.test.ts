import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type * as z from 'zod'
import type { FoundActivities, ServerActivityFilter } from '#contracts/http/panel/server-activity.ts'
import type { ConsoleNote } from '#contracts/console-notes.ts'
import type { Permission } from '#contracts/panel/permissions.ts'
import { systemIds } from '#platform/ids.ts'
import { createMetrics } from '../../../control-plane/platform/metrics.ts'
import { silentLog } from '#platform/logger.ts'
import { recordActivity } from '../../../control-plane/messages/notices/notify-user.ts'
import { listServerActivities } from '../../../control-plane/servers/activities/list-activities.ts'
import { observeEvent } from '../../../control-plane/servers/provisioning/observe.ts'
import { requestPower } from '../../../control-plane/servers/access/request-power.ts'
import { addNode, addServer, makeReachable, type FleetNode } from '../../factories/fleet.ts'
import { platformDatabase, testContext, type PlatformDatabase } from '../../factories/platform-database.ts'

type Page = z.infer<typeof FoundActivities>
type Asked = ServerActivityFilter & { limit?: number; before?: string }

let database: PlatformDatabase
let node: FleetNode
let serverId = ''
const people = { owner: '', member: '', viewer: '', former: '', admin: '', gone: '' }

const addPerson = async (name: string, flags: { admin?: boolean } = {}): Promise<string> => {
  const id = systemIds.next()
  await database.owner.query(
    `insert into cms_api.people (id, username, identifier, email, is_admin) values ($1, $2, 'acdefghj', $3, $4)`,
    [id, name, `${name}@canary.test`, flags.admin ?? false],
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
  await database.owner.query('truncate control.activities')
  await makeReachable(database.owner, node.nodeId)
  const names = Object.keys(people) as (keyof typeof people)[]
  for (const name of names) people[name] = await addPerson(`${name}-${systemIds.next()}`, { admin: name === 'admin' })
  const options = { installed: true, state: 'offline', power: 'stopped', ownerId: people.owner } as const
  serverId = (await addServer(database.owner, node.nodeId, options)).id
  await share(people.member, ['activity.view', 'file.list', 'control.start'])
  await share(people.viewer, ['file.list'])
})

const context = () => testContext(database.db)
const as = (userId: string, isAdmin = userId === people.admin) => ({
  userId,
  isAdmin,
  sessionId: null,
  address: '198.51.100.7',
  way: 'panel' as const,
})
const list = (userId: string, asked: Asked = {}) =>
  listServerActivities(database.db, { caller: as(userId), serverId, ...asked })
const pageOf = async (userId: string, asked: Asked = {}): Promise<Page> => {
  const answer = await list(userId, asked)
  if (!answer.ok) throw new Error(answer.code)
  return answer.page
}
const types = async (userId: string, asked: Asked = {}) => (await pageOf(userId, asked)).items.map(({ type }) => type)

type Event = {
  type: string
  detail?: string
  userId?: string | null
  way?: 'panel' | 'sftp'
  atMs?: number
  notes?: ConsoleNote[]
}
const reported = ({ type, detail = '', userId = people.owner, way, atMs = Date.now(), notes }: Event) =>
  database.db.transaction((tx) =>
    observeEvent(
      tx,
      { ...context(), log: silentLog, metrics: createMetrics(), onTaken: async () => {} },
      {
        nodeId: node.nodeId,
        event: {
          kind: 'activity',
          seq: 1,
          atMs,
          serverId,
          userId,
          type,
          detail,
          ...(notes === undefined ? {} : { notes }),
          ...(userId === null ? {} : { address: '192.0.2.1', way: way ?? 'panel' }),
        },
      },
    ),
  )
const record = (activity: Omit<Parameters<typeof recordActivity>[2], 'status' | 'serverId'>) =>
  recordActivity(database.db, context(), { status: 'success', serverId, ...activity })

describe('who may read the activities of a server', () => {
  it('a stranger gets 404 for it, for an unknown and for a deleted one alike; a member without the permission is told which', async () => {
    const stranger = await addPerson(`stranger-${systemIds.next()}`)
    expect(await list(stranger)).toEqual({ ok: false, code: 'NOT_FOUND' })
    const unknown = { caller: as(people.owner), serverId: systemIds.next() }
    expect(await listServerActivities(database.db, unknown)).toEqual({ ok: false, code: 'NOT_FOUND' })
    expect(await list(people.viewer)).toEqual({ ok: false, code: 'FORBIDDEN', permission: 'activity.view' })
    for (const id of [people.owner, people.member, people.admin]) expect(await list(id)).toMatchObject({ ok: true })
    await database.owner.query('update control.servers set deleted_at = now() where id = $1', [serverId])
    for (const id of [people.owner, people.admin]) expect(await list(id)).toEqual({ ok: false, code: 'NOT_FOUND' })
  })

  it('shows the activities of this server and of no other', async () => {
    const other = await addServer(database.owner, node.nodeId, { ownerId: people.owner })
    await record({ userId: people.owner, type: 'server.start' })
    await recordActivity(database.db, context(), {
      userId: people.owner,
      serverId: other.id,
      type: 'server.kill',
      status: 'success',
    })
    await recordActivity(database.db, context(), { userId: people.owner, type: 'login', status: 'success' })
    expect(await types(people.owner)).toEqual(['server.start'])
  })
})

describe('who did it', () => {
  it('owner, member, former member and staff stand under their own names, with their part; nobody’s e-mail is there', async () => {
    expect(
      await requestPower(context(), { caller: as(people.member), serverId, action: 'start', requestId: 'r' }),
    ).toMatchObject({ ok: true })
    await reported({ type: 'server:file.write', detail: 'a.txt', userId: people.owner })
    await reported({ type: 'server:sftp.delete', detail: 'b.txt', userId: people.former, way: 'sftp' })
    await record({
      userId: people.admin,
      type: 'server:moved-by-force',
      detail: { reason: 'lost', from: 'x', to: 'y' },
    })
    const { items, people: everybody } = await pageOf(people.owner)
    const roles = items.map(({ actor }) => (typeof actor === 'string' ? actor : actor.role))
    expect(roles).toEqual(['staff', 'former', 'owner', 'member'])
    expect(items.map(({ way }) => way)).toEqual([null, 'sftp', 'panel', 'panel'])
    const names = items.map(({ actor }) => (typeof actor === 'string' ? '' : (actor.name ?? '')))
    expect(names.map((name) => name.split('-')[0])).toEqual(['admin', 'former', 'owner', 'member'])
    expect(everybody.map(({ id }) => id).toSorted()).toEqual(
      [people.admin, people.former, people.owner, people.member].toSorted(),
    )
    expect(JSON.stringify([items, everybody])).not.toContain('canary.test')
  })

  it('a node’s own words have their code and parameters beside them, so that each reader gets them in their language', async () => {
    const note = { code: 'restarts', params: { attempt: 1, minutes: 10, seconds: 5 } }
    await reported({ type: 'server:crashed', detail: 'Crash 1.', userId: null, notes: [note] })
    const { items } = await pageOf(people.member)
    expect(items).toMatchObject([{ detail: 'Crash 1.', facts: { notes: [note] } }])
  })

  it('an act of the server or our systems is nobody’s, although it stands in the owner’s own log', async () => {
    await reported({ type: 'server:crashed', detail: 'exit 1', userId: null })
    await record({ userId: people.owner, type: 'server.expired', doneBy: 'system', way: 'timer' })
    const { items, people: everybody } = await pageOf(people.owner)
    expect(items.map(({ actor, ipAddress }) => [actor, ipAddress])).toEqual([
      ['system', ''],
      ['server', ''],
    ])
    expect(everybody).toEqual([])
    const [own] = await database.owner.query('select count(*)::int as n from control.activities where user_id = $1', [
      people.owner,
    ])
    expect(own).toEqual({ n: 2 })
  })

  it('the customer’s copy of what staff did is not there beside the line of the member of staff', async () => {
    await record({ userId: people.owner, type: 'server.refunded', doneBy: 'staff' })
    await record({ userId: people.admin, type: 'staff.server-refund', detail: { amountFt: 500, reason: 'lost' } })
    const { items } = await pageOf(people.owner)
    expect(items).toMatchObject([{ type: 'staff.server-refund', facts: { backFt: 500, reason: 'lost' } }])
  })

  it('a deleted account has neither name nor address, and can still be told from others', async () => {
    await reported({ type: 'server:file.write', detail: 'a.txt', userId: people.gone })
    await reported({ type: 'server:file.write', detail: 'b.txt', userId: systemIds.next() })
    await database.owner.query('insert into cms_api.erased_people values ($1)', [people.gone])
    const { items, people: everybody } = await pageOf(people.admin)
    expect(items.map(({ actor }) => (typeof actor === 'string' ? '' : [actor.name, actor.role]))).toEqual([
      [null, 'deleted'],
      [null, 'deleted'],
    ])
    expect(everybody).toHaveLength(2)
    expect(await types(people.owner, { who: people.gone })).toEqual(['server:file.write'])
  })
})

describe('what a reader does not see', () => {
  it('addresses are for administrators and their own person; the owner gets the place of members alone', async () => {
    for (const userId of [people.owner, people.member, people.former, people.admin]) {
      await reported({ type: 'server:file.write', detail: 'a.txt', userId })
    }
    const seen = async (reader: string) => {
      const { items } = await pageOf(reader)
      return Object.fromEntries(
        items.map(({ actor, sees, ipAddress }) => [
          typeof actor === 'string' ? actor : (actor.name ?? '').split('-')[0],
          ipAddress === '' ? sees : `${sees} ${ipAddress}`,
        ]),
      )
    }
    const whole = 'address 192.0.2.1'
    expect(await seen(people.admin)).toEqual({ owner: whole, member: whole, former: whole, admin: whole })
    expect(await seen(people.owner)).toEqual({
      owner: whole,
      member: 'place 192.0.2.1',
      former: 'place 192.0.2.1',
      admin: 'nothing',
    })
    expect(await seen(people.member)).toEqual({ owner: 'nothing', member: whole, former: 'nothing', admin: 'nothing' })
  })

  it('details need the permission of their place, and a search does not find what is held back', async () => {
    await reported({ type: 'server:console.command', detail: 'say canary' })
    await reported({ type: 'server:file.write', detail: 'canary.txt' })
    const detail = { text: 'canary of a newer release', reason: 'reason of a newer release' }
    await record({ userId: people.owner, type: 'server:novelty.happened', detail })
    const { items } = await pageOf(people.member)
    expect(items.map(({ type, detail, missing }) => [type, detail, missing])).toEqual([
      ['server:novelty.happened', '', 'owner'],
      ['server:file.write', 'canary.txt', null],
      ['server:console.command', '', 'console.read'],
    ])
    expect(JSON.stringify(items)).not.toContain('newer release')
    expect(await types(people.member, { text: 'canary' })).toEqual(['server:file.write'])
    expect(await types(people.owner, { text: 'CANARY' })).toHaveLength(3)
    // Nor does the number of pages tell.
    await reported({ type: 'server:console.command', detail: 'say canary again' })
    expect(await pageOf(people.member, { text: 'say', limit: 1 })).toMatchObject({ items: [], next: null })
    // The type of an entry is no secret: its words may be searched.
    expect(await types(people.member, { text: 'canary', types: 'server:console.command' })).toHaveLength(3)
  })

  it('the contract is between the host and the owner: members see neither its lines nor its amounts', async () => {
    await record({ userId: people.owner, type: 'server.renewed', detail: { renewalId: 'r', totalFt: 990, months: 2 } })
    await record({ userId: people.owner, type: 'server.start' })
    expect(await types(people.member)).toEqual(['server.start'])
    expect(await types(people.member, { group: 'contract' })).toEqual([])
    expect(await types(people.member, { text: 'x', types: 'server.renewed' })).toEqual([])
    const { items } = await pageOf(people.owner, { group: 'contract' })
    expect(items).toMatchObject([{ facts: { chargeFt: 990, months: 2 } }])
    expect(JSON.stringify(items)).not.toContain('renewalId')
  })

  it('secrets of commands are hidden when they are stored, and in rows of earlier releases when they are read or searched', async () => {
    await reported({ type: 'server:console.command', detail: '/login hunter2' })
    const [stored] = await database.owner.query<{ detail: object }>('select detail from control.activities')
    expect(stored?.detail).toEqual({ text: '/login •••' })
    await record({
      userId: people.owner,
      type: 'server:console.command',
      detail: { text: 'register swordfish swordfish', password: 'swordfish' },
    })
    await record({
      userId: people.owner,
      type: 'server.modified',
      detail: { before: 'token=swordfish', secret: 'swordfish' },
    })
    const page = await pageOf(people.owner)
    expect(page.items.map(({ detail }) => detail)).toEqual(['', 'register •••', '/login •••'])
    expect(JSON.stringify(page)).not.toMatch(/swordfish|hunter2/)
    expect(await types(people.owner, { text: 'swordfish' })).toEqual([])
    expect(await types(people.owner, { text: 'register' })).toEqual(['server:console.command'])
  })
})

describe('finding', () => {
  const minutesAgo = (minutes: number) => Date.UTC(2026, 5, 1, 12) - minutes * 60_000

  it('filters by person, group, way, range and text, and by all of them together', async () => {
    await reported({ type: 'server:file.write', detail: 'server.properties', atMs: minutesAgo(1) })
    await reported({ type: 'server:sftp.write', detail: '100%_sure.txt', way: 'sftp', atMs: minutesAgo(2) })
    await reported({ type: 'server:console.command', detail: 'say hi', userId: people.former, atMs: minutesAgo(3) })
    await reported({ type: 'server:crashed', detail: 'exit 1', userId: null, atMs: minutesAgo(4) })
    const [write, upload, command, crash] = [
      'server:file.write',
      'server:sftp.write',
      'server:console.command',
      'server:crashed',
    ]
    const at = (minutes: number) => new Date(minutesAgo(minutes)).toISOString()
    const cases: readonly [ServerActivityFilter, string[]][] = [
      [{}, [write, upload, command, crash]],
      [{ who: people.owner }, [write, upload]],
      [{ who: 'server' }, [crash]],
      [{ who: 'system' }, []],
      [{ group: 'files' }, [write, upload]],
      [{ way: 'sftp' }, [upload]],
      [{ from: at(3) }, [write, upload, command]],
      [{ until: at(3) }, [crash]],
      [{ text: 'PROPERTIES' }, [write]],
      [{ text: '100%_' }, [upload]],
      [{ text: '%' }, [upload]],
      [{ text: 'former' }, [command]],
      [{ text: 'nothing', types: `${crash},${command}` }, [command, crash]],
      [{ who: people.owner, group: 'files', way: 'panel', from: at(2), text: 'server' }, [write]],
    ]
    for (const [filter, expected] of cases)
      expect([filter, await types(people.owner, filter)]).toEqual([filter, expected])
  })

  it('pages pass over nothing and repeat nothing, also where entries have one time and a node reports late', async () => {
    const late = minutesAgo(90)
    for (let n = 0; n < 7; n += 1) await reported({ type: 'server:file.write', detail: `${n}`, atMs: minutesAgo(60) })
    await reported({ type: 'server:file.write', detail: 'late', atMs: late })
    const seen: string[] = []
    let before: string | undefined
    do {
      const page = await pageOf(people.owner, { limit: 3, ...(before === undefined ? {} : { before }) })
      expect(page.people.length > 0).toBe(before === undefined)
      seen.push(...page.items.map(({ detail }) => detail))
      before = page.next ?? undefined
    } while (before !== undefined)
    expect(seen).toEqual(['6', '5', '4', '3', '2', '1', '0', 'late'])
  })

  it('the id of another server’s activity is no place to continue from', async () => {
    await record({ userId: people.owner, type: 'server.stop' })
    const other = await addServer(database.owner, node.nodeId, { ownerId: people.former })
    await recordActivity(database.db, context(), {
      userId: people.former,
      serverId: other.id,
      type: 'server.start',
      status: 'success',
    })
    const [row] = await database.owner.query<{ id: string }>('select id from control.activities where server_id = $1', [
      other.id,
    ])
    expect(await types(people.owner, { before: row?.id ?? '' })).toEqual([])
  })
})

/** Reads of the table by the list alone: the counts of all sessions also contain what another one reports late. */
const readsOf = (filter: ServerActivityFilter) =>
  database.db.transaction(async (tx) => {
    const reads = async () => {
      const [row] = await tx.query<{ scans: number; rows: number }>(
        `select seq_scan::int as scans, idx_tup_fetch::int as rows from pg_stat_xact_user_tables
         where schemaname = 'control' and relname = 'activities'`,
      )
      return row ?? { scans: 0, rows: 0 }
    }
    const before = await reads()
    const answer = await listServerActivities(tx, { caller: as(people.owner), serverId, ...filter })
    if (!answer.ok) throw new Error(answer.code)
    const after = await reads()
    return { scans: after.scans - before.scans, rows: after.rows - before.rows }
  })

describe('a server with 200,000 activities', () => {
  const MANY = 200_000

  it(
    'is walked through by its index alone: no call reads more than 20,000 rows, and a rare entry is found',
    { timeout: 240_000 },
    async () => {
      await database.owner.query(
        `insert into control.activities (id, user_id, server_id, ip_address, type, status, detail, created_at, way, done_by)
         select gen_random_uuid(), case when n = $4 then $2::uuid else $3::uuid end, $1::uuid, '192.0.2.1',
           case when n = $4 then 'server:console.command' else 'server:file.write' end, 'success',
           jsonb_build_object('text', 'world/region/r.' || n || '.mca'), timestamptz '2026-06-01' - n * interval '1 second',
           'panel', 'user' from generate_series(1, $4::int) n`,
        [serverId, people.former, people.owner, MANY],
      )
      await database.owner.query('vacuum analyze control.activities')
      const filters: readonly ServerActivityFilter[] = [
        {},
        { who: people.former },
        { group: 'console' },
        { way: 'timer' },
        { text: 'no such text' },
      ]
      for (const filter of filters) {
        const { scans, rows } = await readsOf(filter)
        expect([filter, scans, rows > 0]).toEqual([filter, 0, true])
        expect(rows).toBeLessThan(21_000)
      }
      expect((await pageOf(people.owner, { who: people.former })).items).toHaveLength(1)
      let next: string | null = null
      let calls = 0
      const found: string[] = []
      do {
        const page: Page = await pageOf(people.owner, { group: 'console', ...(next === null ? {} : { before: next }) })
        found.push(...page.items.map(({ detail }) => detail))
        next = page.next
        calls += 1
      } while (next !== null)
      expect(found).toEqual([`world/region/r.${MANY}.mca`])
      expect(calls).toBeLessThanOrEqual(MANY / 20_000 + 1)
    },
  )
})
