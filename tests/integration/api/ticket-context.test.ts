import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { AGENT_CAPABILITIES } from '#contracts/agent/session.ts'
import { SeenContext } from '#contracts/http/desk/server-context.ts'
import { TROUBLE_DAYS } from '#domain/servers/server-trouble.ts'
import { systemIds } from '#platform/ids.ts'
import { newestTroubles } from '../../../control-plane/servers/store/newest-troubles.ts'
import { openInternalApi } from '../../factories/internal-api.ts'
import { paidServer } from '../../factories/paid-server.ts'
import type { PlatformDatabase } from '../../factories/platform-database.ts'
import { callerOf, openShop, shopDatabase, type Shop } from '../../factories/shop.ts'
import { ticketShop } from '../../factories/ticket-shop.ts'

const nowMs = Date.UTC(2026, 5, 1)
const DAY_MS = 86_400_000
// Joined here, so that no scanner of this repository takes an example for a secret.
const TOKEN = ['MTA5ODc2NTQzMjEwOTg3NjU0Mw', 'GaBcDe', 'abcdefghijklmnopqrstuvwxyz0123456789AB'].join('.')

let database: PlatformDatabase
let api: Awaited<ReturnType<typeof openInternalApi>>
let shop: Shop
let anna: string
let serverId: string
/** The time by the control plane's clock. */
let clockMs = nowMs
const { billing, person, worker, addCategories } = ticketShop(() => database)

const crash = (
  lines: readonly string[],
  facts: { agoMs?: number; error?: string; staffError?: object; doneBy?: string } = {},
) =>
  database.owner.query(
    `insert into control.activities (id, user_id, server_id, type, status, detail, created_at, ip_address, done_by)
     values ($1, $2, $3, 'server:crashed', 'success', $4, $5, '', $6)`,
    [
      systemIds.next(),
      anna,
      serverId,
      JSON.stringify({ text: '', error: facts.error, staffError: facts.staffError, lines }),
      new Date(nowMs - (facts.agoMs ?? 1_000)),
      facts.doneBy ?? 'server',
    ],
  )

beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner, { portCount: 10, memoryMiB: 100_000 })
  api = await openInternalApi(database.db, { now: () => clockMs })
  anna = await person(5_000n)
  serverId = (await paidServer(database.db, { shop, userId: anna, nowMs })).serverId
  await database.owner.query('update control.nodes set capabilities = $1', [AGENT_CAPABILITIES])
  await addCategories()
})
beforeEach(async () => {
  api.tails.clear()
  clockMs = nowMs
  await database.owner.query('delete from control.seen_contexts')
  await database.owner.query(`delete from control.activities where type = 'server:crashed'`)
  await database.owner.query(`update control.servers set name = 'S' where id = $1`, [serverId])
})
afterAll(() => database.close())

const look = async (userId = anna) =>
  api.call('ticket-context', { caller: { ...callerOf(userId), locale: 'en' }, serverId })
const seen = async () => SeenContext.parse((await look()).json)
const open = (server?: { id: string; mark: string; withoutLines?: number[] }, userId = anna) => {
  const request = { title: 'Help', categoryId: billing, message: 'Please', ...(server ? { server } : {}) }
  return api.call('open-ticket', { caller: { ...callerOf(userId), locale: 'en' }, request })
}
const ticketOf = (json: unknown) => (json as { ticket: { id: string } }).ticket.id
const sentWith = async (json: unknown, caller: ReturnType<typeof callerOf>) => {
  const answer = await api.call('ticket', { caller: { ...caller, locale: 'en' }, ticketId: ticketOf(json) })
  return (answer.json as { server?: unknown }).server
}
const stored = async () => {
  const rows = await database.owner.query(`select server_context::text as text from control.tickets order by id`)
  return rows.map((row) => (row as { text: string | null }).text)
}

it('the facts that were shown go along: errors by name, and the last lines; staff of the ticket and its opener read them', async () => {
  await crash(['Loading', 'java.lang.OutOfMemoryError'], { error: 'out-of-memory' })
  await crash(['of an older one'], { agoMs: 5_000 })
  const { context, mark } = await seen()
  expect(context).toEqual({
    serverId,
    identifier: expect.any(String),
    name: 'S',
    game: expect.stringMatching(/./),
    template: expect.stringMatching(/./),
    version: null,
    status: 'running',
    errors: [
      { type: 'server:crashed', at: new Date(nowMs - 1_000).toISOString(), reason: 'The server ran out of memory' },
      { type: 'server:crashed', at: new Date(nowMs - 5_000).toISOString(), reason: null },
    ],
    log: {
      at: new Date(nowMs - 1_000).toISOString(),
      lines: ['Loading', 'java.lang.OutOfMemoryError'],
      source: 'crash',
    },
    missing: 'empty',
  })
  const { status, json } = await open({ id: serverId, mark })
  expect(status).toBe(200)
  // It stays as it was, whatever the server does next.
  await crash(['something new'], { agoMs: 0 })
  expect(await sentWith(json, await worker(billing))).toEqual(context)
  expect(await sentWith(json, callerOf(anna))).toEqual(context)
  expect(await sentWith(json, { ...callerOf(anna), isAdmin: true })).toEqual(context)
})

it('a reader of earlier lines has the facts that were sent along, and does not get them again', async () => {
  says('a line of the console')
  const { mark } = await seen()
  const { json } = await open({ id: serverId, mark })
  const ticketId = ticketOf(json)
  const [line] = await database.owner.query<{ id: string }>(
    'select id from control.ticket_messages where ticket_id = $1',
    [ticketId],
  )
  const asked = { caller: { ...callerOf(anna), locale: 'en' as const }, ticketId }
  const [first, earlier] = [await api.call('ticket', asked), await api.call('ticket', { ...asked, before: line?.id })]
  expect([first.json, earlier.json].map((view) => Object.keys(view as object).includes('server'))).toEqual([
    true,
    false,
  ])
})

it('the facts that were sent along are sent once: a reader who names their mark has them, in their language', async () => {
  await crash(['Loading'], { error: 'out-of-memory' })
  const { mark } = await seen()
  const { json } = await open({ id: serverId, mark })
  const read = async (more: object, caller = { ...callerOf(anna), locale: 'en' }) => {
    const answer = await api.call('ticket', { caller, ticketId: ticketOf(json), ...more })
    const { server, serverMark } = answer.json as { server?: object; serverMark?: string }
    return { hasServer: server !== undefined, serverMark }
  }
  const first = await read({})
  expect(first).toEqual({ hasServer: true, serverMark: expect.stringMatching(/^[\da-f]{64}$/) })
  const { serverMark } = first
  expect(await read({ serverMark })).toEqual({ hasServer: false, serverMark })
  expect(await read({ serverMark }, { ...(await worker(billing)), locale: 'en' })).toEqual({
    hasServer: false,
    serverMark,
  })
  // Another content has another mark, and so has another language.
  expect(await read({ serverMark: '0'.repeat(64) })).toEqual(first)
  const german = await read({ serverMark }, { ...callerOf(anna), locale: 'de' })
  expect([german.hasServer, german.serverMark === serverMark]).toEqual([true, false])
  // A ticket without a server has no mark.
  const { json: plain } = await open()
  const answer = await api.call('ticket', { caller: callerOf(anna), ticketId: ticketOf(plain), serverMark })
  expect([answer.status, Object.keys(answer.json as object).filter((key) => key.startsWith('server'))]).toEqual([
    200,
    [],
  ])
})

it('people who were added to a ticket read nothing of what its opener sent along, also with a share of the server', async () => {
  says('a line of the console')
  const { mark } = await seen()
  const { json } = await open({ id: serverId, mark })
  const friend = await person()
  await database.owner.query(
    'insert into control.ticket_people (ticket_id, user_id, added_at) values ($1, $2, now())',
    [ticketOf(json), friend],
  )
  await database.owner.query(
    `insert into control.server_users (server_id, user_id, permissions, created_at) values ($1, $2, '{console}', now())`,
    [serverId, friend],
  )
  const answer = await api.call('ticket', { caller: { ...callerOf(friend), locale: 'en' }, ticketId: ticketOf(json) })
  expect(answer).toMatchObject({ status: 200, json: { standing: 'added' } })
  expect(answer.json).not.toHaveProperty('server')
  expect(JSON.stringify(answer.json)).not.toContain('a line of the console')
  expect(await sentWith(json, callerOf(anna))).toMatchObject({ log: { lines: ['a line of the console'] } })
})

it('a crash that only a rule of staff names is named in the language of its reader', async () => {
  const staffError = { en: 'The oven is cold', hu: 'Hideg a sütő', de: 'Der Ofen ist kalt' }
  await crash(['The oven is cold'], { staffError })
  const { context, mark } = await seen()
  expect(context.errors).toEqual([
    { type: 'server:crashed', at: new Date(nowMs - 1_000).toISOString(), reason: 'The oven is cold' },
  ])
  const { json } = await open({ id: serverId, mark })
  const { json: german } = await api.call('ticket', {
    caller: { ...(await worker(billing)), locale: 'de' },
    ticketId: ticketOf(json),
  })
  expect(german).toMatchObject({ server: { errors: [{ reason: 'Der Ofen ist kalt' }] } })
})

it('tokens, addresses and e-mail addresses are neither shown nor stored, wherever they stand', async () => {
  const secrets = [TOKEN, '203.0.113.9', 'anna@example.com', '2001:db8::17']
  await crash([`token=${TOKEN}`, '\u001B[31mfrom 203.0.113.9\u001B[0m', 'mail anna@example.com', 'on 2001:db8::17'])
  await database.owner.query('update control.servers set name = $2 where id = $1', [serverId, 'play 203.0.113.9'])
  const { context, mark } = await seen()
  const { json } = await open({ id: serverId, mark })
  expect(await sentWith(json, await worker(billing))).toEqual(context)
  const texts = [JSON.stringify(context), ...(await stored())]
  expect(texts.at(-1)).toContain('[token]')
  for (const secret of secrets) for (const text of texts) expect(text ?? '').not.toContain(secret)
  expect(context.name).toBe('play [ip]')
  expect(context.log?.lines).toEqual(['token=[token]', 'from [ip]', 'mail [e-mail]', 'on [ip]'])
})

it('lines of troubles are read only on demand', async () => {
  await crash(['Loading'])
  const linesOf = async (withLines: boolean) => {
    const troubles = await newestTroubles(database.db, { serverIds: [serverId], nowMs, withLines })
    return troubles.get(serverId)?.map(({ lines }) => lines)
  }
  expect(await linesOf(true)).toEqual([['Loading']])
  expect(await linesOf(false)).toEqual([[]])
})

it('a ticket is refused, and nothing of it stored, when something else would go along than was shown', async () => {
  const { mark } = await seen()
  await crash(['something new'])
  const before = await stored()
  const refused = await open({ id: serverId, mark })
  expect(refused).toMatchObject({ status: 400, json: { error: { code: 'VALIDATION', fields: { server: 'invalid' } } } })
  expect(await stored()).toEqual(before)
  expect((await open({ id: serverId, mark: (await seen()).mark })).status).toBe(200)
})

it('without the switch nothing about a server is stored or shown', async () => {
  await crash(['Loading'])
  const { json } = await open()
  expect((await stored()).at(-1)).toBeNull()
  expect(await sentWith(json, await worker(billing))).toBeUndefined()
})

it('a server of others is none, also one that is shared or for staff, and never goes along', async () => {
  const { mark } = await seen()
  const friend = await person()
  await database.owner.query(
    `insert into control.server_users (server_id, user_id, permissions, created_at) values ($1, $2, '{console}', now())`,
    [serverId, friend],
  )
  expect((await look(friend)).status).toBe(404)
  expect((await api.call('ticket-context', { caller: { ...callerOf(friend), isAdmin: true }, serverId })).status).toBe(
    404,
  )
  expect((await open({ id: serverId, mark }, friend)).status).toBe(400)
})

it('errors of staff and those that are too old do not go along', async () => {
  await crash(['by staff'], { doneBy: 'staff' })
  await crash(['old'], { agoMs: (TROUBLE_DAYS + 1) * DAY_MS })
  expect((await seen()).context).toMatchObject({ errors: [], log: null })
})

const says = (...lines: string[]) => api.tails.set(serverId, { atMs: nowMs - 500, lines })

it('a server that did not crash goes along with the last lines of its console, redacted', async () => {
  says('Done (3.2s)', `token=${TOKEN}`, 'login from 203.0.113.9', 'mail anna@example.com')
  const { context, mark } = await seen()
  expect(context.log).toEqual({
    at: new Date(nowMs - 500).toISOString(),
    lines: ['Done (3.2s)', 'token=[token]', 'login from [ip]', 'mail [e-mail]'],
    source: 'console',
  })
  expect(context.missing).toBeNull()
  const { json } = await open({ id: serverId, mark })
  expect(await sentWith(json, await worker(billing))).toEqual(context)
  const kept = await database.owner.query('select context::text as text from control.seen_contexts')
  for (const text of [...(await stored()), ...kept.map((row) => (row as { text: string }).text)])
    for (const secret of [TOKEN, '203.0.113.9', 'anna@example.com']) expect(text ?? '').not.toContain(secret)
})

it('the lines that were shown go along, also when the console has others by then', async () => {
  says('as shown')
  const { context, mark } = await seen()
  says('a moment later')
  const { status, json } = await open({ id: serverId, mark })
  expect(status).toBe(200)
  expect(await sentWith(json, await worker(billing))).toEqual(context)
})

it('lines that the customer took out are neither stored nor read by staff, who see how many they were', async () => {
  says('first', 'my secret base is at 100 64 -200', 'last')
  const { mark } = await seen()
  const { json } = await open({ id: serverId, mark, withoutLines: [1] })
  expect(await sentWith(json, await worker(billing))).toMatchObject({ log: { lines: ['first', 'last'], removed: 1 } })
  expect((await stored()).at(-1)).not.toContain('secret base')
})

it('while the node is away the lines of the newest crash go along, and it is said why', async () => {
  await crash(['Loading'])
  says('nobody hears this')
  const [{ renewed_at: renewedAt }] = (await database.owner.query('select renewed_at from control.agent_sessions')) as [
    { renewed_at: Date },
  ]
  await database.owner.query(`update control.agent_sessions set renewed_at = renewed_at - interval '1 day'`)
  const { context } = await seen()
  await database.owner.query('update control.agent_sessions set renewed_at = $1', [renewedAt])
  expect(context).toMatchObject({
    status: 'nodeoffline',
    missing: 'away',
    log: { source: 'crash', lines: ['Loading'] },
  })
})

it('an agent of the release before is not asked', async () => {
  says('nobody hears this')
  const [{ capabilities }] = (await database.owner.query('select capabilities from control.nodes')) as [
    { capabilities: string[] },
  ]
  await database.owner.query(`update control.nodes set capabilities = '{}'`)
  const { context } = await seen()
  await database.owner.query('update control.nodes set capabilities = $1', [capabilities])
  expect(context).toMatchObject({ log: null, missing: 'away' })
})

it('facts seen more than an hour ago, or by somebody else, open no ticket', async () => {
  says('as shown')
  const { mark } = await seen()
  const friend = await person()
  expect((await open({ id: serverId, mark }, friend)).status).toBe(400)
  await database.owner.query(`update control.seen_contexts set created_at = created_at - interval '61 minutes'`)
  expect((await open({ id: serverId, mark })).status).toBe(400)
})

it('the console of a suspended server is not read, and the facts say why; lines that the activities show go along', async () => {
  const base = 'secret base at 100 64 -200'
  says(base)
  await database.owner.query('update control.servers set suspended = true where id = $1', [serverId])
  const bare = await seen()
  await crash(['Loading'])
  const { context, mark } = await seen()
  const { json } = await open({ id: serverId, mark })
  await database.owner.query('update control.servers set suspended = false where id = $1', [serverId])
  expect(bare.context).toMatchObject({ status: 'suspended', missing: 'suspended', log: null })
  expect(context).toMatchObject({ missing: 'suspended', log: { source: 'crash', lines: ['Loading'] } })
  expect(await sentWith(json, await worker(billing))).toEqual(context)
  const kept = await database.owner.query('select context::text as text from control.seen_contexts')
  expect(kept).toHaveLength(2)
  expect(JSON.stringify([kept, await stored()])).not.toContain(base)
})

it('only the newest ten looks of a person stay, so that looking costs no room', async () => {
  const marks: string[] = []
  for (let at = 0; at < 12; at += 1) {
    says(`look ${at}`)
    clockMs += 1_000
    marks.push((await seen()).mark)
  }
  const statuses: number[] = []
  for (const mark of marks) statuses.push((await open({ id: serverId, mark })).status)
  expect(statuses).toEqual([400, 400, ...Array.from({ length: 10 }, () => 200)])
})

it('the newest look stays, also after ten others in the same moment', async () => {
  const statuses: number[] = []
  for (let at = 0; at < 16; at += 1) {
    says(`look ${at}`)
    const { mark } = await seen()
    statuses.push((await open({ id: serverId, mark })).status)
  }
  expect(statuses).toEqual(Array.from({ length: 16 }, () => 200))
  expect(await database.owner.query('select 1 from control.seen_contexts')).toHaveLength(10)
})
