import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { BILLING_MONTH_MS, DAY_MS } from '#domain/billing/period.ts'
import { LIFETIME_FAULTS } from '../../../control-plane/money/lifetime/lifetime-context.ts'
import { runLifetime } from '../../../control-plane/money/lifetime/run-lifetime.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { systemIds } from '#platform/ids.ts'
import { renewServer } from '../../../control-plane/money/renewals/renew-server.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { lifetimeContext } from '../../factories/lifetime.ts'
import { paidServer, renewCommand } from '../../factories/paid-server.ts'
import {
  balanceOf,
  callerOf,
  credit,
  openShop,
  orderContext,
  shopDatabase,
  userWith,
  type Shop,
} from '../../factories/shop.ts'

const START_MS = Date.UTC(2026, 5, 1)
const EXPIRY_MS = START_MS + BILLING_MONTH_MS
const HOUR_MS = 3_600_000

let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase(40)
  shop = await openShop(database.owner, { portCount: 5000, memoryMiB: 50_000_000 })
})
// A run looks at every server there is: those of other tests have ended.
beforeEach(() => database.owner.query(`update control.servers set deleted_at = now(), desired = 'deleted'`))
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

async function customerWith(restFt: bigint, { auto = false, verified = true } = {}) {
  const userId = await userWith(database.db, 990n + restFt)
  await database.owner.query(
    `insert into cms_api.people (id, username, identifier, email, language, verified, invoice_type, is_admin, is_support)
     values ($1, $2, 'acdefghj', $3, 'de', $4, 'electronic', false, false)`,
    [userId, `u-${userId}`, `${userId}@example.test`, verified],
  )
  const { serverId } = await paidServer(database.db, { shop, userId, nowMs: START_MS })
  if (auto) await database.owner.query('update control.servers set auto_renew = true where id = $1', [serverId])
  return { userId, serverId }
}

const runAt = (nowMs: number) => runLifetime(lifetimeContext(database.db, { now: () => nowMs }))
type Customer = Awaited<ReturnType<typeof customerWith>>
const noticesOf = async ({ userId }: Customer) =>
  (
    await database.owner.query<{ text: string; data: { days?: number } }>(
      `select text, data from control.notifications where user_id = $1 and text not in ('server.installed') order by id offset 1`,
      [userId],
    )
  ).map(({ text, data }) => (data.days === undefined ? text : `${text} ${data.days}`))
const mailsOf = async ({ userId }: Customer) =>
  (
    await database.owner.query<{ kind: string; language: string }>(
      'select kind, language from control.mails where recipient = $1 order by id',
      [`${userId}@example.test`],
    )
  ).map(({ kind, language }) => `${kind} ${language}`)
const stateOf = async ({ serverId }: Customer) =>
  (
    await database.owner.query<Record<string, unknown>>(
      `select desired, desired_power as power, expires_at as expiry, stopped_by_expiry as "byExpiry" from control.servers where id = $1`,
      [serverId],
    )
  )[0]
const renewalsOf = async ({ serverId }: Customer) =>
  (await database.owner.query('select 1 from control.renewals where server_id = $1', [serverId])).length

describe('reminders', () => {
  it('T41: reminders are sent 7, 3 and 1 days before the expiry, once each, in the bell and by mail', async () => {
    const customer = await customerWith(0n)
    for (let hour = -8 * 24; hour < 0; hour += 6) await runAt(EXPIRY_MS + hour * HOUR_MS)
    const expected = ['server.expiring 7', 'server.expiring 3', 'server.expiring 1']
    expect(await noticesOf(customer)).toEqual(expected)
    expect(await mailsOf(customer)).toEqual(['expiry de', 'expiry de', 'expiry de'])
    // A run that forgets when it looked, and a clock that goes back, repeat nothing.
    for (const days of [7, 3, 1, 7]) {
      await database.owner.query('update control.servers set lifetime_due_at = null')
      await runAt(EXPIRY_MS - days * DAY_MS)
    }
    expect(await noticesOf(customer)).toEqual(expected)
    expect(await mailsOf(customer)).toHaveLength(3)
  })

  it('reminders follow the new expiry after a renewal, and are not sent to an unverified address', async () => {
    const customer = await customerWith(990n, { verified: false })
    await runAt(EXPIRY_MS - DAY_MS)
    await renewServer(orderContext(database.db, { now: () => EXPIRY_MS - HOUR_MS }), renewCommand(customer))
    await runAt(EXPIRY_MS)
    await runAt(EXPIRY_MS + BILLING_MONTH_MS - DAY_MS)
    expect(await noticesOf(customer)).toEqual(['server.expiring 1', 'purchase.success', 'server.expiring 1'])
    expect(await mailsOf(customer)).toEqual([])
  })
})

describe('expiry and deletion', () => {
  it('an expired server stops, is kept for 72 h, then deleted, with one notification each', async () => {
    const customer = await customerWith(0n)
    await runAt(EXPIRY_MS - 1)
    expect(await stateOf(customer)).toMatchObject({ power: 'running' })
    for (const late of [0, 1, 2]) await runAt(EXPIRY_MS + late * HOUR_MS)
    expect(await stateOf(customer)).toMatchObject({ power: 'stopped', byExpiry: true, desired: 'installed' })
    expect((await noticesOf(customer)).filter((text) => text === 'server.expired')).toHaveLength(1)
    await runAt(EXPIRY_MS + 3 * DAY_MS - 1)
    expect(await stateOf(customer)).toMatchObject({ desired: 'installed' })
    await runAt(EXPIRY_MS + 3 * DAY_MS)
    await runAt(EXPIRY_MS + 4 * DAY_MS)
    expect(await stateOf(customer)).toMatchObject({ desired: 'deleted' })
    const [deletions] = await database.owner.query<{ count: number }>(
      `select count(*)::int from control.activities where server_id = $1 and type = 'server.expired-deleted'`,
      [customer.serverId],
    )
    expect(deletions?.count).toBe(1)
  })

  it('T56: of a concurrent renewal and deletion one wins, and only the renewal is charged', async () => {
    for (let round = 0; round < 8; round += 1) {
      const customer = await customerWith(990n)
      const renew = renewServer(
        orderContext(database.db, { now: () => EXPIRY_MS + 3 * DAY_MS - 1 }),
        renewCommand(customer),
      )
      const [renewed] = await Promise.all([renew, runAt(EXPIRY_MS + 3 * DAY_MS)])
      const { desired } = (await stateOf(customer)) ?? {}
      expect([renewed.ok, desired]).toEqual(renewed.ok ? [true, 'installed'] : [false, 'deleted'])
      const { money } = await balanceOf(database.db, customer.userId)
      expect(money).toBe(renewed.ok ? 0n : 990n)
    }
  })

  it('case 75, T33: expiry and deletion do not depend on the time zone, even across clock changes', async () => {
    const zone = process.env['TZ']
    try {
      process.env['TZ'] = 'Europe/Budapest'
      // The last Sundays of March and October of 2026 lie within the paid time.
      for (const startMs of [Date.UTC(2026, 2, 20), Date.UTC(2026, 9, 10)]) {
        await database.owner.query(`update control.servers set deleted_at = now(), desired = 'deleted'`)
        const userId = await userWith(database.db, 1980n)
        const { serverId } = await paidServer(database.db, { shop: await shopAt(startMs), userId, nowMs: startMs })
        await database.owner.query('update control.servers set auto_renew = true where id = $1', [serverId])
        const endMs = startMs + BILLING_MONTH_MS
        for (let day = 0; day <= 70; day += 1) await runAt(startMs + day * DAY_MS)
        const periods = await database.owner.query<{ period_start: Date; period_end: Date }>(
          'select period_start, period_end from control.renewals where server_id = $1',
          [serverId],
        )
        expect(periods).toEqual([{ period_start: new Date(endMs), period_end: new Date(endMs + BILLING_MONTH_MS) }])
        expect(await stateOf({ userId, serverId })).toMatchObject({ desired: 'deleted' })
      }
    } finally {
      process.env['TZ'] = zone
    }
  })
})

async function shopAt(nowMs: number): Promise<Shop> {
  await database.owner.query('update control.agent_sessions set renewed_at = $1', [new Date(nowMs)])
  return shop
}

describe('automatic renewal', () => {
  beforeEach(() => shopAt(START_MS))

  it('a server is renewed for a month from the day before the expiry on, once, without a reminder', async () => {
    const customer = await customerWith(5000n, { auto: true })
    for (const days of [7, 3, 1.01]) await runAt(EXPIRY_MS - days * DAY_MS)
    expect([await renewalsOf(customer), await noticesOf(customer)]).toEqual([0, []])
    for (const hours of [24, 23, 1, 0, -1]) await runAt(EXPIRY_MS - hours * HOUR_MS)
    expect([await renewalsOf(customer), await noticesOf(customer)]).toEqual([1, ['purchase.success']])
    expect(await stateOf(customer)).toMatchObject({ expiry: new Date(EXPIRY_MS + BILLING_MONTH_MS), power: 'running' })
    expect(await balanceOf(database.db, customer.userId)).toMatchObject({ money: 4010n })
  })

  it('without enough money the owner is told the missing amount once, and the server is renewed when it arrives within 72 h', async () => {
    const customer = await customerWith(500n, { auto: true })
    for (const hours of [7 * 24, 24, 12, 0, -1]) await runAt(EXPIRY_MS - hours * HOUR_MS)
    expect(await noticesOf(customer)).toEqual([
      'server.expiring 7',
      'renewal.missing',
      'server.expiring 1',
      'server.expired',
    ])
    expect(await stateOf(customer)).toMatchObject({ power: 'stopped' })
    await credit(database.db, { userId: customer.userId, amountFt: 490n })
    await runAt(EXPIRY_MS + 2 * DAY_MS)
    expect(await renewalsOf(customer)).toBe(1)
    expect(await stateOf(customer)).toMatchObject({ expiry: new Date(EXPIRY_MS + BILLING_MONTH_MS), power: 'running' })
  })

  it('a server without automatic renewal is not renewed', async () => {
    const customer = await customerWith(5000n)
    await runAt(EXPIRY_MS - HOUR_MS)
    expect(await renewalsOf(customer)).toBe(0)
  })

  it('case 72, T30: two workers, the owner and a restarted run charge one period of a server once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const customer = await customerWith(5000n, { auto: true })
      const expiry = new Date(EXPIRY_MS).toISOString()
      const nowMs = EXPIRY_MS - HOUR_MS
      const owner = renewServer(
        orderContext(database.db, { now: () => nowMs }),
        renewCommand(customer, { request: { expiry } }),
      )
      await Promise.all([runAt(nowMs), runAt(nowMs), runAt(nowMs), owner])
      await runAt(nowMs)
      expect(await renewalsOf(customer)).toBe(1)
      expect(await balanceOf(database.db, customer.userId)).toMatchObject({ money: 4010n })
    }
  })

  it('T20: of a renewal run and an order with money for one, exactly one succeeds', async () => {
    for (let round = 0; round < 8; round += 1) {
      const customer = await customerWith(990n, { auto: true })
      const nowMs = EXPIRY_MS - HOUR_MS
      const order = placeOrder(orderContext(database.db, { now: () => START_MS }), {
        caller: callerOf(customer.userId),
        requestId: 'r',
        idempotencyKey: systemIds.next(),
        request: { serviceId: shop.serviceId, packageId: shop.packageId, months: 1, name: 'S' },
      })
      const [placed] = await Promise.all([order, runAt(nowMs)])
      expect((placed.ok ? 1 : 0) + (await renewalsOf(customer))).toBe(1)
      expect(await balanceOf(database.db, customer.userId)).toMatchObject({ available: 0n })
    }
  })
})

/** The owners of what expired 72 h ago or more were told of it then. */
const toldAtExpiry = (nowMs: number) =>
  database.owner.query(
    `insert into control.lifetime_notices (server_id, kind, period, created_at)
     select id, 'expired', expires_at, expires_at from control.servers where expires_at <= $1 and deleted_at is null`,
    [new Date(nowMs - 3 * DAY_MS)],
  )

describe('an expiry missed by an outage', () => {
  beforeEach(() => shopAt(START_MS))
  const lateMs = EXPIRY_MS + 10 * DAY_MS

  it('the owner is notified first, and the server is kept for 72 h from then on', async () => {
    const customer = await customerWith(0n)
    await runAt(lateMs)
    expect(await noticesOf(customer)).toEqual(['server.expired'])
    expect(await stateOf(customer)).toMatchObject({ desired: 'installed', power: 'stopped' })
    await runAt(lateMs + 3 * DAY_MS - 1)
    expect(await stateOf(customer)).toMatchObject({ desired: 'installed' })
    await runAt(lateMs + 3 * DAY_MS + HOUR_MS)
    expect(await stateOf(customer)).toMatchObject({ desired: 'deleted' })
    expect(await noticesOf(customer)).toEqual(['server.expired'])
  })

  it('a server can be renewed as long as it exists', async () => {
    const customer = await customerWith(5000n)
    await runAt(lateMs)
    const renewed = await renewServer(orderContext(database.db, { now: () => lateMs + DAY_MS }), renewCommand(customer))
    expect(renewed).toMatchObject({ ok: true })
    await runAt(lateMs + 3 * DAY_MS)
    expect(await stateOf(customer)).toMatchObject({ desired: 'installed' })
  })

  it('an automatic renewal is made up for when the run resumes', async () => {
    const customer = await customerWith(5000n, { auto: true })
    await runAt(lateMs)
    expect(await renewalsOf(customer)).toBe(1)
    expect(await stateOf(customer)).toMatchObject({ desired: 'installed' })
  })
})

describe('a run over many servers', () => {
  beforeEach(() => shopAt(START_MS))

  it('T31: all 700 due servers are handled, although the work removes most of them from the filter', async () => {
    const customer = await customerWith(0n)
    await database.owner.query(
      `insert into control.servers (id, identifier, owner_id, node_id, service_id, template_id, name, desired, desired_power, spec,
         service_name, cpu_percent, memory_mib, storage_mib, monthly_price_ft, expires_at, created_at)
       select gen_random_uuid(), 'many' || n, owner_id, node_id, service_id, template_id, name, 'installed', 'running', spec,
         service_name, 1, 1, 1, 990, case n % 5 when 0 then $2::timestamptz - interval '4 days' when 1 then $2 else $2::timestamptz
           - interval '1 hour' end, $3
       from control.servers, generate_series(1, 700) n where id = $1`,
      [customer.serverId, new Date(EXPIRY_MS + 8 * DAY_MS), new Date(START_MS)],
    )
    const nowMs = EXPIRY_MS + 8 * DAY_MS
    await toldAtExpiry(nowMs)
    await database.owner.query(`update control.servers set deleted_at = now() where id = $1`, [customer.serverId])
    expect(await runAt(nowMs)).toEqual({ ran: true, looked: 700, failed: 0 })
    const left = await database.owner.query(
      `select desired, count(*)::int, bool_and(desired = 'deleted' or desired_power = 'stopped') as ended from control.servers
       where deleted_at is null group by desired order by desired`,
    )
    expect(left).toEqual([
      { desired: 'deleted', count: 140, ended: true },
      { desired: 'installed', count: 560, ended: true },
    ])
    expect(await runAt(nowMs)).toMatchObject({ looked: 0 })
  })

  it('T39: a row that always fails does not stop the others, and is retried', async () => {
    const customers = []
    for (let count = 0; count < 9; count += 1) customers.push(await customerWith(990n, { auto: true }))
    const poisoned = customers[4] as Customer
    await database.owner.query(`update control.servers set service_name = 'null' where id = $1`, [poisoned.serverId])
    const nowMs = EXPIRY_MS - HOUR_MS
    expect(await runAt(nowMs)).toEqual({ ran: true, looked: 9, failed: 1 })
    const renewed = await Promise.all(customers.map(renewalsOf))
    expect(renewed).toEqual(customers.map((customer) => (customer === poisoned ? 0 : 1)))
    await database.owner.query(
      `update control.servers set service_name = '{"en":"a","hu":"a","de":"a"}' where id = $1`,
      [poisoned.serverId],
    )
    expect(await runAt(nowMs)).toEqual({ ran: true, looked: 1, failed: 0 })
    expect(await renewalsOf(poisoned)).toBe(1)
  })

  it('T39: a renewal that always fails suppresses neither its server’s reminders nor its expiry', async () => {
    const customer = await customerWith(5000n, { auto: true })
    const faults = async (name: string) => {
      if (name === 'renewal.held') throw new Error(name)
    }
    for (const hours of [24, 23, 1, 0, -1]) {
      const context = lifetimeContext(database.db, { now: () => EXPIRY_MS - hours * HOUR_MS, faults })
      expect(await runLifetime(context)).toEqual({ ran: true, looked: 1, failed: 1 })
    }
    expect(await noticesOf(customer)).toEqual(['server.expiring 1', 'server.expired'])
    expect(await mailsOf(customer)).toEqual(['expiry de'])
    expect(await stateOf(customer)).toMatchObject({ power: 'stopped' })
    expect(await balanceOf(database.db, customer.userId)).toEqual({ money: 5000n, held: 0n, available: 5000n })
    await runAt(EXPIRY_MS + 2 * HOUR_MS)
    expect(await renewalsOf(customer)).toBe(1)
    expect(await stateOf(customer)).toMatchObject({ power: 'running' })
  })

  it.each(LIFETIME_FAULTS)('I9: after a throw at %s the next run does the rest once', async (fault) => {
    const [auto, late, gone] = [
      await customerWith(990n, { auto: true }),
      await customerWith(0n),
      await customerWith(0n),
    ]
    const moved = (customer: Customer, expiryMs: number) =>
      database.owner.query('update control.servers set expires_at = $2 where id = $1', [
        customer.serverId,
        new Date(expiryMs),
      ])
    const nowMs = EXPIRY_MS
    await moved(auto, nowMs + HOUR_MS)
    await moved(late, nowMs - HOUR_MS)
    await moved(gone, nowMs - 3 * DAY_MS)
    await toldAtExpiry(nowMs)
    const faults = async (name: string) => {
      if (name === fault) throw new Error(fault)
    }
    await runLifetime(lifetimeContext(database.db, { now: () => nowMs, faults })).catch(() => {})
    await runAt(nowMs)
    await runAt(nowMs)
    expect([await renewalsOf(auto), (await balanceOf(database.db, auto.userId)).money]).toEqual([1, 0n])
    expect(await noticesOf(late)).toEqual(['server.expired'])
    expect(await stateOf(late)).toMatchObject({ power: 'stopped' })
    expect(await stateOf(gone)).toMatchObject({ desired: 'deleted' })
    expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
  })
})
