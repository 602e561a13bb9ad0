import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ErrorCode } from '#contracts/http/errors.ts'
import { GrantedTestServer } from '#contracts/http/lifetime.ts'
import { TicketView } from '#contracts/http/ticket.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { TEST_SERVER_MS } from '#domain/billing/lifetime.ts'
import { systemIds } from '#platform/ids.ts'
import { lockInOrder } from '../../../control-plane/money/ledger/lock-order.ts'
import { openTicket } from '../../../control-plane/tickets/open-ticket.ts'
import { openInternalApi } from '../../factories/internal-api.ts'
import type { PlatformDatabase } from '../../factories/platform-database.ts'
import { callerOf, openShop, shopDatabase, type Shop } from '../../factories/shop.ts'
import { ticketShop } from '../../factories/ticket-shop.ts'
import { waitFor } from '../../support/wait-for.ts'

const nowMs = Date.UTC(2026, 5, 1)

let database: PlatformDatabase
let api: Awaited<ReturnType<typeof openInternalApi>>
let shop: Shop
let staff: Caller
let anna: Caller
let ticketId: string
const desk = ticketShop(() => database)
const { billing, technical, worker } = desk

const person = async (facts: Partial<Caller> = {}): Promise<Caller> => ({ ...callerOf(await desk.person()), ...facts })
const opened = async (caller: Caller) => {
  const request = { title: 'Try', categoryId: billing, message: 'May I try it?' }
  const result = await openTicket(api.context, {
    caller: { ...caller, isVerified: true },
    request,
    key: systemIds.next(),
    requestId: 'r',
  })
  if (!result.ok) throw new Error(result.code)
  return result.answer.ticketId
}

beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner, { portCount: 100, memoryMiB: 1_000_000 })
  api = await openInternalApi(database.db, { now: () => nowMs })
  await desk.addCategories()
  staff = await worker(billing)
})
beforeEach(async () => {
  anna = await person()
  ticketId = await opened(anna)
})
afterAll(() => database.close())

type Wanted = { readonly packageId?: string; readonly name?: string }
const grant = async (
  caller: Caller,
  { key, id = ticketId, ...wanted }: Wanted & { key?: string; id?: string } = {},
) => {
  const body = { serviceId: shop.serviceId, packageId: shop.packageId, name: 'Try', ...wanted }
  const input = { caller, ticketId: id, wanted: body }
  const { status, text } = await api.ask('grant-ticket-test-server', JSON.stringify(input), key)
  return { status, json: JSON.parse(text) as unknown }
}
const refused = async (...asked: Parameters<typeof grant>) =>
  ((await grant(...asked)).json as { error: { code: ErrorCode } }).error.code
const call = async (name: string, caller: Caller, facts: object = {}) => {
  const { status, json } = await api.call(name, { caller, ticketId, ...facts })
  expect(status, JSON.stringify(json)).toBe(200)
  return json
}
const events = async (caller: Caller) =>
  TicketView.parse(await call('ticket', caller)).messages.flatMap(({ event }) => (event === null ? [] : [event]))
const serversOf = async ({ userId }: Caller) =>
  (
    await database.owner.query<{ id: string }>(
      'select s.id from control.servers s join control.test_servers t on t.server_id = s.id where s.owner_id = $1',
      [userId],
    )
  ).map(({ id }) => id)

it('a test server is granted once for each key, the ticket says so once, and its pages hear of it', async () => {
  await database.owner.query(`delete from control.outbox where topic = 'browser-event'`)
  const key = systemIds.next()
  const first = await grant(staff, { key })
  expect([first, await grant(staff, { key }), await grant(staff, { key, id: ticketId.toUpperCase() })]).toEqual(
    Array.from({ length: 3 }, () => ({ status: 200, json: first.json })),
  )
  const { serverId, expiresAt } = GrantedTestServer.parse(first.json)
  expect([await serversOf(anna), expiresAt]).toEqual([[serverId], new Date(nowMs + TEST_SERVER_MS).toISOString()])
  const event = { type: 'test server granted', about: 'Try', serverId }
  expect([await events(anna), await events(staff)]).toEqual([[event], [event]])
  const told = await database.owner.query<{ payload: { userIds: string[]; message: object } }>(
    `select payload from control.outbox where topic = 'browser-event' and payload -> 'message' ->> 'event' = 'ticket.update'`,
  )
  expect(told.map(({ payload }) => payload)).toMatchObject([{ message: { data: { id: ticketId } } }])
  expect(told[0]?.payload.userIds).toEqual(expect.arrayContaining([anna.userId, staff.userId]))
  expect(await refused(staff, { key, name: 'Another' })).toBe('IDEMPOTENCY_MISMATCH')
  expect(await refused(staff)).toBe('TEST_ALREADY_HAD')
  expect(await events(anna)).toHaveLength(1)
  expect(await call('ticket-customer', staff)).toMatchObject({ hadTestServer: true })
})

it('only staff who work on the ticket grant, and a refused grant leaves nothing', async () => {
  const added = await person()
  await call('add-ticket-person', staff, { userId: added.userId })
  expect([
    await refused(anna),
    await refused(added),
    await refused(await person()),
    await refused(await worker(technical)),
    await refused(await person({ isSupport: true })),
    await refused(staff, { id: systemIds.next() }),
    await refused(staff, { packageId: systemIds.next() }),
    await refused(staff, { name: ' ' }),
  ]).toEqual([
    'FORBIDDEN',
    'FORBIDDEN',
    'NOT_FOUND',
    'NOT_FOUND',
    'NOT_FOUND',
    'NOT_FOUND',
    'NOT_ORDERABLE',
    'VALIDATION',
  ])
  expect([await serversOf(anna), (await events(anna)).map(({ type }) => type)]).toEqual([[], ['person added']])
  expect((await grant(await worker(null))).status).toBe(200)
})

it('nothing is granted from a closed, merged or deleted ticket, nor to an account whose person cannot sign in', async () => {
  const admin = await worker(null)
  await call('close-ticket', staff)
  expect(await refused(staff)).toBe('TICKET_CLOSED')
  await call('reopen-ticket', staff)
  const target = await opened(anna)
  await call('merge-ticket', staff, { intoId: target })
  expect(await refused(staff)).toBe('TICKET_MERGED')
  for (const state of ['suspended_people', 'erased_people']) {
    await database.owner.query(`insert into cms_api.${state} (id) values ($1)`, [anna.userId])
    expect([state, await refused(staff, { id: target })]).toEqual([state, 'CUSTOMER_CANNOT_SIGN_IN'])
    if (state === 'suspended_people') await database.owner.query(`delete from cms_api.${state}`)
  }
  await call('delete-ticket', admin, { ticketId: target })
  expect(await refused(staff, { id: target })).toBe('NOT_FOUND')
  expect(await serversOf(anna)).toEqual([])
})

it('an account whose e-mail address is not confirmed gets no test server, as it may order none, until it is', async () => {
  const confirm = (verified: boolean) =>
    database.owner.query('update cms_api.people set verified = $2 where id = $1', [anna.userId, verified])
  await confirm(false)
  expect([await refused(staff), await refused(await worker(null))]).toEqual([
    'CUSTOMER_NOT_VERIFIED',
    'CUSTOMER_NOT_VERIFIED',
  ])
  expect([await serversOf(anna), await events(anna)]).toEqual([[], []])
  await confirm(true)
  expect((await grant(staff)).status).toBe(200)
})

it('support grants nothing to other staff, whom only administrators may', async () => {
  await database.owner.query('update cms_api.people set is_support = true where id = $1', [anna.userId])
  expect(await refused(staff)).toBe('FORBIDDEN')
  expect((await grant(await worker(null))).status).toBe(200)
})

it('two members of staff who grant at once from two tickets grant one server, and the other answers say so', async () => {
  const [second, colleague] = [await opened(anna), await worker(billing)]
  const asked = [staff, colleague].flatMap((caller) => [ticketId, second].map((id) => grant(caller, { id })))
  const answers = await Promise.all(asked)
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
  expect(await serversOf(anna)).toHaveLength(1)
})

it('a grant waits for an erasure of its customer, and then grants nothing', async () => {
  const { owner } = database
  const { granting } = await owner.transaction(async (tx) => {
    await lockInOrder(tx, { person: anna.userId })
    const asked = { granting: refused(staff) }
    await waitFor('the grant at the lock', async () => {
      const waiting = `select 1 from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`
      return (await owner.query(waiting)).length > 0
    })
    await tx.query('insert into cms_api.erased_people (id) values ($1)', [anna.userId])
    return asked
  })
  expect([await granting, await serversOf(anna)]).toEqual(['CUSTOMER_CANNOT_SIGN_IN', []])
})

it('a crash between the grant and its line in the ticket leaves neither, and its repetition writes both', async () => {
  const key = systemIds.next()
  const { owner } = database
  await owner.query(
    `create function control.crash() returns trigger language plpgsql as $$ begin raise 'crash'; end $$`,
  )
  await owner.query(
    'create trigger crash before insert on control.ticket_messages for each row execute function control.crash()',
  )
  expect((await grant(staff, { key })).status).toBe(500)
  await owner.query('drop function control.crash cascade')
  expect([await serversOf(anna), await events(anna)]).toEqual([[], []])
  expect((await grant(staff, { key })).status).toBe(200)
  expect([(await serversOf(anna)).length, (await events(anna)).length]).toEqual([1, 1])
})

it('the line names its server to all, and leads there only who may open it, while it is there', async () => {
  const [added, admin] = [await person(), await worker(null)]
  await call('add-ticket-person', staff, { userId: added.userId })
  const { serverId } = GrantedTestServer.parse((await grant(staff)).json)
  const leads = async (caller: Caller) => (await events(caller)).at(-1)
  const named = { type: 'test server granted', about: 'Try' }
  const linked = { ...named, serverId }
  expect([await leads(anna), await leads(staff), await leads(admin), await leads(added)]).toEqual([
    linked,
    linked,
    linked,
    named,
  ])
  await database.owner.query(`update control.servers set desired = 'deleted' where id = $1`, [serverId])
  expect([await leads(anna), await leads(staff)]).toEqual([named, named])
})
