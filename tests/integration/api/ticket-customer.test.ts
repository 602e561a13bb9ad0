import { afterAll, beforeAll, expect, it } from 'vitest'
import { TicketCustomer } from '#contracts/http/desk/ticket-customer.ts'
import { TROUBLE_DAYS } from '#domain/servers/server-trouble.ts'
import { systemIds } from '#platform/ids.ts'
import { openInternalApi } from '../../factories/internal-api.ts'
import { paidServer } from '../../factories/paid-server.ts'
import type { PlatformDatabase } from '../../factories/platform-database.ts'
import { callerOf, openShop, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { ticketShop } from '../../factories/ticket-shop.ts'
import { openTicket } from '../../../control-plane/tickets/open-ticket.ts'

const DAY_MS = 86_400_000
const nowMs = Date.UTC(2026, 5, 1)

let database: PlatformDatabase
let api: Awaited<ReturnType<typeof openInternalApi>>
let anna: string
let shop: Shop
let serverId: string
let ticketId: string
const { billing, technical, person, worker, addCategories } = ticketShop(() => database)

const trouble = (type: string, agoMs: number, facts: { error?: string; staffError?: object; by?: string } = {}) =>
  database.owner.query(
    `insert into control.activities (id, user_id, server_id, type, status, detail, created_at, ip_address, done_by)
     values ($1, $2, $3, $4, 'success', $5, $6, '', $7)`,
    [
      systemIds.next(),
      anna,
      serverId,
      type,
      JSON.stringify({
        text: 'the secret of the console',
        error: facts.error,
        staffError: facts.staffError,
        lines: ['a line of the console'],
      }),
      new Date(nowMs - agoMs),
      facts.by ?? 'server',
    ],
  )

beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner, { portCount: 10, memoryMiB: 100_000 })
  api = await openInternalApi(database.db)
  anna = await person(5_000n)
  serverId = (await paidServer(database.db, { shop, userId: anna, nowMs })).serverId
  await addCategories()
  const request = { title: 'Help', categoryId: billing, message: 'Please' }
  const opened = await openTicket(api.context, { caller: callerOf(anna), request, key: 'key', requestId: 'r' })
  if (!opened.ok) throw new Error(opened.code)
  ticketId = opened.answer.ticketId
})
afterAll(() => database.close())

const asked = async (caller: ReturnType<typeof callerOf>) => api.call('ticket-customer', { caller, ticketId })

it('staff who work on a ticket read the balance, the servers and their latest errors, and nothing else', async () => {
  await trouble('server:crashed', 3_000, { error: 'out-of-memory' })
  await trouble('server:crash-loop', 2_000, {
    staffError: { en: 'The oven is cold', hu: 'Hideg a sütő', de: 'Der Ofen ist kalt' },
  })
  await trouble('server:start-failed', 1_000)
  // The oldest of four, one that is too old, one of staff, and something that a person did.
  await trouble('server:storage-exceeded', 4_000)
  await trouble('server:crashed', (TROUBLE_DAYS + 1) * DAY_MS)
  await trouble('server:start-slow', 500, { by: 'staff' })
  await trouble('server:file.write', 400, { by: 'user' })
  await paidServer(database.db, { shop, userId: await userWith(database.db, 5_000n), nowMs })
  for (const caller of [await worker(billing), await worker(null)]) {
    const { status, json } = await asked({ ...caller, locale: 'en' })
    expect(status).toBe(200)
    const at = (agoMs: number) => new Date(nowMs - agoMs).toISOString()
    expect(json).toEqual({
      language: 'hu',
      category: 'Számlázás',
      balance: { availableFt: expect.any(Number), heldFt: 0, debtFt: 0 },
      servers: [
        {
          id: serverId,
          identifier: expect.any(String),
          name: 'S',
          status: 'running',
          expiry: expect.any(String),
          troubles: [
            { type: 'server:start-failed', at: at(1_000), reason: null },
            { type: 'server:crash-loop', at: at(2_000), reason: 'The oven is cold' },
            { type: 'server:crashed', at: at(3_000), reason: 'The server ran out of memory' },
          ],
        },
      ],
      hasMoreServers: false,
      hadTestServer: false,
    })
    expect(TicketCustomer.parse(json).balance.availableFt).toBe(4_010)
  }
})

it('support reads nothing about a colleague who opened a ticket, administrators do', async () => {
  const colleague = await person(700n)
  await database.owner.query('update cms_api.people set is_support = true where id = $1', [colleague])
  const request = { title: 'My own', categoryId: billing, message: 'Please' }
  const opened = await openTicket(api.context, { caller: callerOf(colleague), request, key: 'own', requestId: 'r' })
  if (!opened.ok) throw new Error(opened.code)
  const input = { ticketId: opened.answer.ticketId }
  const bySupport = await api.call('ticket-customer', { ...input, caller: await worker(billing) })
  expect([bySupport.status, JSON.stringify(bySupport.json).includes('balance')]).toEqual([403, false])
  const byAdmin = await api.call('ticket-customer', { ...input, caller: await worker(null) })
  expect(byAdmin.json).toMatchObject({ balance: { availableFt: 700 } })
})

it('debts and reserved money are told, and deleted servers are not', async () => {
  const caller = await worker(billing)
  await database.owner.query(`update control.servers set deleted_at = now(), desired = 'deleted' where id = $1`, [
    serverId,
  ])
  const order = { serviceId: shop.serviceId, packageId: shop.packageId, months: 1, name: 'Waiting' }
  await api.call('order', { caller: callerOf(anna), request: order })
  const { json } = await asked(caller)
  expect(json).toMatchObject({
    balance: { availableFt: 3_020, heldFt: 990, debtFt: 0 },
    servers: [{ name: 'Waiting', troubles: [] }],
  })
})

it('its opener and those who were added may not, and strangers and other staff do not learn that it exists', async () => {
  const friend = await person()
  await database.owner.query('insert into control.ticket_people values ($1, $2, now())', [ticketId, friend])
  const answers = [
    await asked(callerOf(anna)),
    await asked({ ...callerOf(anna), isAdmin: true }),
    await asked(callerOf(friend)),
    await asked(callerOf(await person())),
    await asked(await worker(technical)),
  ]
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 404, 404])
  const colleagues = async (caller: ReturnType<typeof callerOf>) =>
    (await api.call('ticket-colleagues', { caller, ticketId })).status
  expect([await colleagues(callerOf(anna)), await colleagues(await worker(technical))]).toEqual([403, 404])
})
