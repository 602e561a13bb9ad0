import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

import { silentLog } from '#platform/logger.ts'
import { systemIds } from '#platform/ids.ts'
import { noticeContent } from '../../../control-plane/messages/notices/notice-content.ts'
import { createMetrics } from '../../../control-plane/platform/metrics.ts'
import { listServerActivities } from '../../../control-plane/servers/activities/list-activities.ts'
import { observeEvent } from '../../../control-plane/servers/provisioning/observe.ts'
import { addNode, addServer } from '../../factories/fleet.ts'
import { platformDatabase, testContext, type PlatformDatabase } from '../../factories/platform-database.ts'

const HOUR_MS = 3_600_000
const LOOP = 'server:crash-loop'
const FILLING = 'server:storage-filling'

let database: PlatformDatabase
let nodeId: string
let ownerId: string
let nowMs = Date.now()

beforeAll(async () => {
  database = await platformDatabase()
  nodeId = (await addNode(database.owner, 'http://node.test:8080')).nodeId
})
afterAll(() => database.close())
beforeEach(() => {
  ownerId = systemIds.next()
})

const newServer = async (): Promise<string> => {
  const options = { installed: true, state: 'offline', power: 'stopped', ownerId } as const
  return (await addServer(database.owner, nodeId, options)).id
}

const happens = (type: string, serverId: string, lines?: string[]) =>
  database.db.transaction((tx) =>
    observeEvent(
      tx,
      {
        ...testContext(database.db, { clock: { now: () => nowMs } }),
        log: silentLog,
        metrics: createMetrics(),
        onTaken: async () => {},
      },
      {
        nodeId,
        event: {
          kind: 'activity',
          seq: 1,
          atMs: nowMs,
          serverId,
          userId: null,
          type,
          detail: '',
          ...(lines && { lines }),
        },
      },
    ),
  )

type Told = { text: string; sid: string; tasks: number }
/** The owner's notifications with the number of their tasks for mail and push, in the order of time. */
const told = () =>
  database.owner.query<Told>(
    `select n.text, n.data ->> 'sid' as sid, count (o.id)::int as tasks from control.notifications n
     left join control.outbox o on o.topic = 'notice-tell' and o.payload ->> 'notificationId' = n.id::text
     where n.user_id = $1 group by n.id order by n.created_at, n.text`,
    [ownerId],
  )

it('the owner hears of crashes in a row and of storage that fills, by bell and mail', async () => {
  const sid = await newServer()
  await happens(LOOP, sid)
  await happens(FILLING, sid)
  expect(await told()).toEqual([
    { text: 'server.crashed', sid, tasks: 1 },
    { text: 'server.storage-filling', sid, tasks: 1 },
  ])
})

it('each trouble is told once an hour, however often it happens, and those of two servers are two', async () => {
  const [one, other] = [await newServer(), await newServer()]
  await happens(LOOP, one)
  nowMs += HOUR_MS - 1_000
  await happens(LOOP, one)
  expect(await told()).toEqual([{ text: 'server.crashed', sid: one, tasks: 1 }])
  await happens(LOOP, other)
  expect((await told()).map(({ sid }) => sid)).toEqual([one, other])
  nowMs += 1_000
  await happens(LOOP, one)
  expect((await told()).map(({ sid }) => sid)).toEqual([one, other, one])
})

it('a single crash, which is restarted, is no notification', async () => {
  await happens('server:crashed', await newServer())
  expect(await told()).toEqual([])
})

const dataOf = async () =>
  (
    await database.owner.query<{ data: object }>(
      'select data from control.notifications where user_id = $1 order by created_at, id',
      [ownerId],
    )
  ).map(({ data }) => data)

const MEMORY = ['java.lang.OutOfMemoryError: Java heap space']
const PORT = ['java.net.BindException: Address already in use: bind']

it('a server that stays stopped changes the notice of its second crash, which is unread again, and mailed once with each word', async () => {
  const sid = await newServer()
  await happens('server:crashed', sid)
  nowMs += HOUR_MS + 1_000
  await happens('server:crashed', sid)
  expect(await told()).toEqual([])
  nowMs += HOUR_MS - 1_000
  await happens('server:crashed', sid)
  await happens('server:crashed', sid)
  expect(await dataOf()).toMatchObject([{ sid, again: true }])
  await database.owner.query('update control.notifications set read_at = now() where user_id = $1', [ownerId])
  nowMs += 1_000
  await happens(LOOP, sid)
  await happens(LOOP, sid)
  const [stays, ...more] = await dataOf()
  expect(stays).toMatchObject({ sid })
  expect(stays).not.toHaveProperty('again')
  expect(more).toEqual([])
  expect(await told()).toEqual([{ text: 'server.crashed', sid, tasks: 1 }])
  const unread = 'select id from control.notifications where user_id = $1 and read_at is null and told_at is null'
  const [row, ...others] = await database.owner.query<{ id: string }>(unread, [ownerId])
  expect(others).toEqual([])
  const events = await database.owner.query<{ id: string; again: string | null; replaces: string | null }>(
    `select payload #>> '{message,data,id}' as id, payload #>> '{message,data,data,again}' as again,
       payload #>> '{message,data,data,replaces}' as replaces from control.outbox
     where topic = 'browser-event' and payload #>> '{message,data,data,sid}' = $1 order by created_at, id`,
    [sid],
  )
  const first = events[0]?.id
  expect(events).toEqual([
    { id: first, again: 'true', replaces: null },
    { id: row?.id, again: null, replaces: first },
  ])
  expect(row?.id).not.toBe(first)
})

it('a notice of another release whose words are unknown holds up nothing', async () => {
  const sid = await newServer()
  await happens(LOOP, sid, MEMORY)
  const unknown = JSON.stringify({ sid, error: 'x'.repeat(60) })
  await database.owner.query('update control.notifications set data = $2 where user_id = $1', [ownerId, unknown])
  await happens(LOOP, sid, MEMORY)
  expect((await told()).length).toBe(2)
})

it('SFTP that a node has refused is no success', async () => {
  const sid = await newServer()
  await happens('server:sftp.denied', sid)
  await happens('server:file.write', sid)
  const rows = await database.owner.query(
    'select type, status from control.activities where server_id = $1 order by type',
    [sid],
  )
  expect(rows).toEqual([
    { type: 'server:file.write', status: 'success' },
    { type: 'server:sftp.denied', status: 'failure' },
  ])
})

it('a second cause within the hour is told beside the first, and neither twice', async () => {
  const sid = await newServer()
  for (const lines of [MEMORY, MEMORY, MEMORY, PORT, PORT]) await happens('server:crashed', sid, lines)
  expect(await dataOf()).toMatchObject([
    { sid, again: true, error: 'out-of-memory' },
    { sid, again: true, error: 'port-in-use' },
  ])
  await happens(LOOP, sid, PORT)
  await happens(LOOP, sid, PORT)
  const [memory, port, ...more] = await dataOf()
  expect(memory).toMatchObject({ again: true, error: 'out-of-memory' })
  expect(port).toMatchObject({ error: 'port-in-use' })
  expect(port).not.toHaveProperty('again')
  expect(more).toEqual([])
})

it('the notice names the known error, and the mail has the last lines redacted and no link of a stranger', async () => {
  const sid = await newServer()
  const lines = [
    '[12:00:01] anna@example.com joined from 203.0.113.9, see https://evil.example/x',
    '',
    '[12:00:02] java.lang.OutOfMemoryError: Java heap space',
  ]
  await happens(LOOP, sid, lines)
  const [data] = await dataOf()
  expect(data).toMatchObject({ sid, error: 'out-of-memory' })
  const content = await database.db.transaction((tx) =>
    noticeContent(tx, { userId: ownerId, text: 'server.crashed', data: { sid, error: 'out-of-memory' } }),
  )
  expect(content?.params).toMatchObject({ error: 'out-of-memory', lines: [expect.any(String), lines[2]] })
  const mailed = JSON.stringify(content)
  expect(mailed).toContain('Java heap space')
  for (const secret of ['anna@example.com', '203.0.113.9', 'https://']) expect(mailed).not.toContain(secret)
  const stored = JSON.stringify(
    await database.owner.query('select detail from control.activities where server_id = $1', [sid]),
  )
  for (const secret of ['anna@example.com', '203.0.113.9']) expect(stored).not.toContain(secret)
})

it('a person who no longer has the server gets none of its lines', async () => {
  const sid = await newServer()
  await happens(LOOP, sid, ['java.lang.OutOfMemoryError: Java heap space'])
  const content = await database.db.transaction((tx) =>
    noticeContent(tx, { userId: systemIds.next(), text: 'server.crashed', data: { sid } }),
  )
  expect(content?.params).not.toHaveProperty('lines')
})

const TITLES = { en: 'The oven is cold', hu: 'Hideg a sütő', de: 'Der Ofen ist kalt' }
/** A rule that staff wrote for these templates, or for all. */
const addRule = (title: typeof TITLES, templateIds: string[] = []) =>
  database.owner.query(
    `insert into cms_api.known_errors (id, title, explanation, pattern, actions, template_ids)
     values ($1, $2, $2, 'oven is .{1,20} cold', '{}', $3)`,
    [systemIds.next(), JSON.stringify(title), templateIds],
  )

/** The facts of a server's activities, as its owner reads them. */
const factsOf = async (serverId: string) => {
  const caller = { userId: ownerId, isAdmin: false, isSupport: false }
  const answer = await listServerActivities(database.db, { caller, serverId })
  return answer.ok ? answer.page.items.map(({ facts }) => facts) : answer.code
}

it("the last lines of a crash are tried with staff's rules where none of ours fits, and bell, mail and activity name them", async () => {
  const other = { en: 'elsewhere', hu: 'elsewhere', de: 'elsewhere' }
  await addRule(other, [systemIds.next()])
  await addRule(TITLES)
  const sid = await newServer()
  await happens(LOOP, sid, ['[12:00:00] The oven is much too cold'])
  const [data] = await dataOf()
  expect(data).toMatchObject({ sid, staffError: TITLES })
  expect(data).not.toHaveProperty('error')
  const content = await database.db.transaction((tx) =>
    noticeContent(tx, { userId: ownerId, text: 'server.crashed', data: { sid, staffError: TITLES } }),
  )
  expect(content?.params).toMatchObject({ staffError: TITLES })
  const known = await newServer()
  await happens(LOOP, known, ['The oven is much too cold', 'java.lang.OutOfMemoryError: Java heap space'])
  expect(await factsOf(sid)).toEqual([{ staffError: TITLES }])
  expect(await factsOf(known)).toEqual([{ error: 'out-of-memory' }])
  await database.owner.query('delete from cms_api.known_errors')
})
