import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { BILLING_MONTH_MS, DAY_MS } from '#domain/billing/period.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { systemIds } from '#platform/ids.ts'
import { quoteRenewal } from '../../../control-plane/money/renewals/quote-renewal.ts'
import { renewServer } from '../../../control-plane/money/renewals/renew-server.ts'
import { setAutoRenewal } from '../../../control-plane/money/renewals/set-auto-renewal.ts'
import { requestDeletion } from '../../../control-plane/servers/store/server-store.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
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
const PRICE = 990n

let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase(40)
  shop = await openShop(database.owner, { portCount: 2000, memoryMiB: 10_000_000 })
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

/** A customer with a server whose first month is paid, and so much more. */
async function customerWith(restFt: bigint) {
  const userId = await userWith(database.db, PRICE + restFt)
  const { serverId } = await paidServer(database.db, { shop, userId, nowMs: START_MS })
  return { userId, serverId }
}

const at = (nowMs: number) => orderContext(database.db, { now: () => nowMs })
const serverOf = async (serverId: string) =>
  (
    await database.owner.query<{ expires_at: Date; desired_power: string; generation: number }>(
      'select expires_at, desired_power, generation, spec from control.servers where id = $1',
      [serverId],
    )
  )[0]
const expiryOf = async (serverId: string) => (await serverOf(serverId))?.expires_at.getTime()
const renewalsOf = (serverId: string) =>
  database.owner.query<{ total_ft: bigint; period_start: Date; months: number }>(
    'select total_ft, period_start, months from control.renewals where server_id = $1 order by period_start',
    [serverId],
  )

describe('renewing a server', () => {
  it('a renewal charges the displayed price, extends the old expiry, and writes all of its records together', async () => {
    const customer = await customerWith(5000n)
    const nowMs = START_MS + 10 * DAY_MS
    const wanted = { caller: callerOf(customer.userId), serverId: customer.serverId, months: 3 }
    const shown = await quoteRenewal(at(nowMs), wanted)
    expect(shown).toMatchObject({
      ok: true,
      quote: { totalFt: 2970, netFt: 2339, vatFt: 631, balanceFt: 5000, balanceAfterFt: 2030, missingFt: 0 },
    })
    if (!shown.ok) throw new Error(shown.code)
    const { totalFt: expectedTotalFt, expiry, newExpiry } = shown.quote
    const request = { months: 3, expectedTotalFt, expiry }
    const renewed = await renewServer(at(nowMs), renewCommand(customer, { request }))
    const periodEndMs = EXPIRY_MS + 3 * BILLING_MONTH_MS
    expect(renewed).toMatchObject({ ok: true, replayed: false, answer: { totalFt: 2970, periodEndMs } })
    expect([await expiryOf(customer.serverId), Date.parse(newExpiry)]).toEqual([periodEndMs, periodEndMs])
    expect(await balanceOf(database.db, customer.userId)).toEqual({ money: 2030n, held: 0n, available: 2030n })
    const renewalId = renewed.ok ? renewed.answer.renewalId : ''
    expect(
      await database.owner.query(
        `select type, amount_ft, status, document_kind from control.wallet_transactions where document_id = $1`,
        [renewalId],
      ),
    ).toEqual([{ type: 'renewal', amount_ft: -2970n, status: 'finished', document_kind: 'renewal' }])
    expect(
      await database.owner.query<{ paid_ft: bigint; start_at: Date }>(
        'select paid_ft, start_at from control.paid_spans where renewal_id = $1 order by position',
        [renewalId],
      ),
    ).toEqual([0, 1, 2].map((month) => ({ paid_ft: 990n, start_at: new Date(EXPIRY_MS + month * BILLING_MONTH_MS) })))
    const notices = await database.owner.query<{ text: string; data: object }>(
      'select text, data from control.notifications where user_id = $1 order by id desc limit 1',
      [customer.userId],
    )
    expect(notices).toEqual([
      {
        text: 'purchase.success',
        data: { sid: customer.serverId, product: 'Minecraft', amount: 2970, purchase: 'renewal' },
      },
    ])
    const [event] = await database.owner.query<{ data: object }>(
      `select payload -> 'message' -> 'data' as data from control.outbox where request_id = 'renewal-1'
       and payload -> 'userIds' ->> 0 = $1 and payload -> 'message' ->> 'event' = 'balance.change'`,
      [customer.userId],
    )
    expect(event?.data).toEqual({ type: 'renewal', change: 2970, balance: 2030 })
    const [activity] = await database.owner.query<{ type: string; ip_address: string }>(
      'select type, ip_address from control.activities where user_id = $1 order by id desc limit 1',
      [customer.userId],
    )
    expect(activity).toEqual({ type: 'server.renewed', ip_address: '127.0.0.1' })
  })

  it('the node receives the new expiry with a higher generation', async () => {
    const customer = await customerWith(990n)
    expect((await serverOf(customer.serverId))?.generation).toBe(1)
    await renewServer(at(START_MS), renewCommand(customer))
    expect(await serverOf(customer.serverId)).toMatchObject({ generation: 2, spec: { generation: 2 } })
  })

  it('a renewal without enough balance reports the missing amount and writes nothing', async () => {
    const customer = await customerWith(500n)
    const answer = await renewServer(at(START_MS), renewCommand(customer))
    expect(answer).toEqual({ ok: false, code: 'INSUFFICIENT_BALANCE', priceFt: 490n })
    expect([await renewalsOf(customer.serverId), await expiryOf(customer.serverId)]).toEqual([[], EXPIRY_MS])
    const wanted = { caller: callerOf(customer.userId), serverId: customer.serverId, months: 1 }
    expect(await quoteRenewal(at(START_MS), wanted)).toMatchObject({
      ok: true,
      quote: { missingFt: 490, balanceAfterFt: 0 },
    })
  })

  it.each([0, -1, 7, 1.5, Number.NaN, 2 ** 53, '1e0', [1]])('a renewal for %s months is refused', async (months) => {
    const customer = await customerWith(10_000n)
    const command = renewCommand(customer, { request: { months: months as number } })
    expect(await renewServer(at(START_MS), command)).toEqual({ ok: false, code: 'MONTHS_INVALID' })
  })

  it('case 70, case 72: a renewal charges only the displayed price, and no second period for a stale page', async () => {
    const customer = await customerWith(10_000n)
    const cheaper = renewCommand(customer, { request: { expectedTotalFt: 989 } })
    expect(await renewServer(at(START_MS), cheaper)).toEqual({ ok: false, code: 'PRICE_CHANGED', priceFt: 990n })
    const expiry = new Date(EXPIRY_MS).toISOString()
    const pages = [0, 1, 2].map(() => renewCommand(customer, { request: { expiry } }))
    const answers = await Promise.all(pages.map((page) => renewServer(at(START_MS), page)))
    expect(answers.map((answer) => (answer.ok ? 'renewed' : answer.code)).toSorted()).toEqual([
      'EXPIRY_CHANGED',
      'EXPIRY_CHANGED',
      'renewed',
    ])
    expect(await renewalsOf(customer.serverId)).toHaveLength(1)
  })

  it('strangers, sub-users and administrators cannot renew', async () => {
    const customer = await customerWith(10_000n)
    const [stranger, subUser, admin] = await Promise.all([0, 1, 2].map(() => userWith(database.db, 10_000n)))
    await database.owner.query(
      `insert into control.server_users (server_id, user_id, permissions, created_at) values ($1, $2, '{control.start}', now())`,
      [customer.serverId, subUser],
    )
    const as = async (userId: string | undefined, isAdmin = false) => {
      const caller = { ...callerOf(userId ?? ''), isAdmin }
      const serverId = customer.serverId
      return [
        await renewServer(at(START_MS), { ...renewCommand(customer), caller }),
        await quoteRenewal(at(START_MS), { caller, serverId, months: 1 }),
        await setAutoRenewal(at(START_MS), { caller, serverId, enabled: true }),
      ].map((answer) => (answer.ok ? 'ok' : answer.code))
    }
    expect(await as(stranger)).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'])
    expect(await as(subUser)).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN'])
    expect(await as(admin, true)).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN'])
    expect(await renewalsOf(customer.serverId)).toEqual([])
  })

  it('a server that is being installed cannot be renewed, because its paid time has not begun', async () => {
    const userId = await userWith(database.db, 5000n)
    const placed = await placeOrder(at(START_MS), {
      caller: callerOf(userId),
      requestId: 'r',
      idempotencyKey: systemIds.next(),
      request: { serviceId: shop.serviceId, packageId: shop.packageId, months: 1, name: 'S' },
    })
    const serverId = placed.ok ? placed.answer.serverId : ''
    const answer = await renewServer(at(START_MS), renewCommand({ userId, serverId }))
    expect(answer).toEqual({ ok: false, code: 'NOT_INSTALLED' })
  })

  it('switching automatic renewal on and off is logged once each', async () => {
    const customer = await customerWith(0n)
    const caller = callerOf(customer.userId)
    for (const enabled of [true, true, false]) {
      expect(await setAutoRenewal(at(START_MS), { caller, serverId: customer.serverId, enabled })).toEqual({ ok: true })
    }
    const rows = await database.owner.query<{ type: string }>(
      `select type from control.activities where server_id = $1 and type like 'server.auto%' order by id`,
      [customer.serverId],
    )
    expect(rows.map(({ type }) => type)).toEqual(['server.auto-renewal-on', 'server.auto-renewal-off'])
  })
})

describe('renewals in the books', () => {
  it('T20: of a renewal and an order with money for one, exactly one succeeds', async () => {
    for (let round = 0; round < 10; round += 1) {
      const customer = await customerWith(PRICE)
      const order = placeOrder(at(START_MS), {
        caller: callerOf(customer.userId),
        requestId: 'r',
        idempotencyKey: systemIds.next(),
        request: { serviceId: shop.serviceId, packageId: shop.packageId, months: 1, name: 'S' },
      })
      const answers = await Promise.all([order, renewServer(at(START_MS), renewCommand(customer))])
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
      expect(await balanceOf(database.db, customer.userId)).toMatchObject({ available: 0n })
    }
  })

  it('T21: of 60 concurrent renewals with money for seven, seven succeed and no debt arises', async () => {
    const userId = await userWith(database.db, 20n * PRICE)
    const servers: string[] = []
    for (let count = 0; count < 20; count += 1) {
      servers.push((await paidServer(database.db, { shop, userId, nowMs: START_MS })).serverId)
    }
    await credit(database.db, { userId, amountFt: 7n * PRICE + 5n })
    const wishes = servers.flatMap((serverId) => [0, 1, 2].map(() => renewCommand({ userId, serverId })))
    const answers = await Promise.all(wishes.map((wish) => renewServer(at(START_MS), wish)))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(7)
    expect(await balanceOf(database.db, userId)).toEqual({ money: 5n, held: 0n, available: 5n })
  })

  it('case 72, T30: a period is charged once, whatever the clock says and however often it is requested', async () => {
    const customer = await customerWith(10_000n)
    const same = renewCommand(customer, { key: 'double-click' })
    const clocks = [START_MS, START_MS - 40 * DAY_MS, START_MS + 20 * DAY_MS]
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => renewServer(at(clocks[index % 3] ?? START_MS), same)),
    )
    expect(answers.every((answer) => answer.ok || answer.code === 'IN_PROGRESS')).toBe(true)
    expect(await renewServer(at(START_MS), same)).toMatchObject({ ok: true, replayed: true })
    expect(await renewalsOf(customer.serverId)).toHaveLength(1)
    // A program whose clock and rows were set back finds that the period was charged.
    await database.owner.query('update control.servers set expires_at = $2 where id = $1', [
      customer.serverId,
      new Date(EXPIRY_MS),
    ])
    await expect(renewServer(at(START_MS), renewCommand(customer))).rejects.toThrow(/charged once/)
    expect(await renewalsOf(customer.serverId)).toHaveLength(1)
    expect(await balanceOf(database.db, customer.userId)).toMatchObject({ money: 10_000n - PRICE })
  })

  it('T38: a renewal costs the price agreed at the order, not the current list price', async () => {
    const customer = await customerWith(2000n)
    await database.owner.query('update cms_api.packages set price_per_month_ft = 4000')
    try {
      expect(await renewServer(at(START_MS), renewCommand(customer))).toMatchObject({ answer: { totalFt: 990 } })
    } finally {
      await database.owner.query('update cms_api.packages set price_per_month_ft = 990')
    }
  })

  it('T40: a renewal after the expiry restores the server, one period later than before, and restarts it', async () => {
    const customer = await customerWith(10_000n)
    await database.owner.query(
      `update control.servers set desired_power = 'stopped', stopped_by_expiry = true where id = $1`,
      [customer.serverId],
    )
    const nowMs = EXPIRY_MS + 3 * DAY_MS - 1
    const same = renewCommand(customer, { key: 'late-click' })
    for (let click = 0; click < 3; click += 1) await renewServer(at(nowMs), same)
    expect(await expiryOf(customer.serverId)).toBe(EXPIRY_MS + BILLING_MONTH_MS)
    expect(await serverOf(customer.serverId)).toMatchObject({ desired_power: 'running' })
    expect(await balanceOf(database.db, customer.userId)).toMatchObject({ money: 10_000n - PRICE })
  })

  it('T40: a server stopped by its owner stays stopped after a renewal', async () => {
    const customer = await customerWith(990n)
    await database.owner.query(`update control.servers set desired_power = 'stopped' where id = $1`, [
      customer.serverId,
    ])
    await renewServer(at(EXPIRY_MS + 1), renewCommand(customer))
    expect(await serverOf(customer.serverId)).toMatchObject({ desired_power: 'stopped' })
  })

  it('T56: from 72 h after the expiry nothing is charged, nor for a server that is being deleted', async () => {
    const late = await customerWith(10_000n)
    await database.owner.query(
      `insert into control.lifetime_notices (server_id, kind, period, created_at)
       select id, 'expired', expires_at, expires_at from control.servers where id = $1`,
      [late.serverId],
    )
    const answer = await renewServer(at(EXPIRY_MS + 3 * DAY_MS), renewCommand(late))
    expect(answer).toEqual({ ok: false, code: 'SERVER_DELETED' })
    const going = await customerWith(10_000n)
    const deletion = database.owner.transaction((tx) => requestDeletion(tx, going.serverId))
    const [raced] = await Promise.all([renewServer(at(EXPIRY_MS + 1), renewCommand(going)), deletion])
    const after = await renewServer(at(EXPIRY_MS + 1), renewCommand(going))
    expect(after).toEqual({ ok: false, code: 'NOT_FOUND' })
    expect(await balanceOf(database.db, going.userId)).toMatchObject({ money: 10_000n - (raced.ok ? PRICE : 0n) })
    expect(await balanceOf(database.db, late.userId)).toMatchObject({ money: 10_000n })
  })
})
