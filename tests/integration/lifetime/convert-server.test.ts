import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { BILLING_MONTH_MS, DAY_MS } from '#domain/billing/period.ts'
import {
  CONVERSION_FAULTS,
  convertServer,
  quoteConversion,
  type ConvertCommand,
} from '../../../control-plane/money/conversion/convert-server.ts'
import { grantTestServer } from '../../../control-plane/money/lifetime/grant-test-server.ts'
import { runLifetime } from '../../../control-plane/money/lifetime/run-lifetime.ts'
import { quoteOrder } from '../../../control-plane/money/orders/quote-order.ts'
import type { FaultPoint } from '#platform/fault-point.ts'
import { systemIds } from '#platform/ids.ts'
import { renewServer } from '../../../control-plane/money/renewals/renew-server.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { moves } from '../../factories/ledger-moves.ts'
import { grantedTestServer, lifetimeContext } from '../../factories/lifetime.ts'
import { paidServer, renewCommand } from '../../factories/paid-server.ts'
import { balanceOf, callerOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { withdraw } from '../../factories/withdrawals.ts'
import { crashed, crashesAt, killedAt } from '../../support/crashes.ts'
import { sliceOf } from '../../support/slice.ts'
import { waitFor } from '../../support/wait-for.ts'
import type { Work } from '../orders/order-process.ts'

const SCRIPT = new URL('../orders/order-process.ts', import.meta.url)
const START_MS = Date.UTC(2026, 5, 1)
const END_MS = START_MS + DAY_MS

let database: ControlDatabase
let shop: Shop
let staffId: string
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner, { portCount: 2000, memoryMiB: 10_000_000 })
  staffId = await userWith(database.db, 0n)
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

const at = (nowMs: number, faults: (name: string) => Promise<void> = async () => {}) =>
  orderContext(database.db, { now: () => nowMs, faults })

const tester = (moneyFt = 5000n) => grantedTestServer(database, { shop, staffId, moneyFt, nowMs: START_MS })
type Customer = Awaited<ReturnType<typeof tester>>

const commandOf = (
  { userId, serverId }: Customer,
  request: Partial<ConvertCommand['request']> = {},
): ConvertCommand => ({
  caller: callerOf(userId),
  serverId,
  idempotencyKey: systemIds.next(),
  requestId: 'c',
  request: { packageId: shop.packageId, months: 2, ...request },
})
const stateOf = async ({ serverId }: Customer) =>
  (
    await database.owner.query<Record<string, unknown>>(
      `select is_test as test, expires_at as expiry, desired_power as power, desired, identifier from control.servers where id = $1`,
      [serverId],
    )
  )[0]

describe('converting a test server to a paid one', () => {
  it('a conversion costs the displayed price from the end of the test on, and the same server can be renewed', async () => {
    const customer = await tester()
    const before = await stateOf(customer)
    const nowMs = START_MS + DAY_MS / 2
    const command = commandOf(customer, { expectedTotalFt: 1980 })
    expect(await quoteConversion(at(nowMs), command)).toMatchObject({
      quote: { totalFt: 1980, balanceAfterFt: 3020, paidFrom: new Date(END_MS).toISOString() },
    })
    expect(await convertServer(at(nowMs), command)).toMatchObject({ ok: true, answer: { totalFt: 1980 } })
    const expiry = new Date(END_MS + 2 * BILLING_MONTH_MS)
    expect(await stateOf(customer)).toEqual({ ...before, test: false, expiry })
    expect(await balanceOf(database.db, customer.userId)).toMatchObject({ money: 3020n, held: 0n })
    expect(await renewServer(at(nowMs), renewCommand(customer))).toMatchObject({ ok: true })
    expect(await convertServer(at(nowMs), commandOf(customer))).toEqual({ ok: false, code: 'NOT_A_TEST_SERVER' })
  })

  it('a test server can be converted within three days after its end, from that moment on, and runs again', async () => {
    const customer = await tester()
    const run = (nowMs: number) => runLifetime(lifetimeContext(database.db, { now: () => nowMs }))
    await run(END_MS)
    expect(await stateOf(customer)).toMatchObject({ power: 'stopped' })
    const nowMs = END_MS + 2 * DAY_MS
    expect(await convertServer(at(nowMs), commandOf(customer, { months: 1 }))).toMatchObject({ ok: true })
    const expiry = new Date(nowMs + BILLING_MONTH_MS)
    expect(await stateOf(customer)).toMatchObject({ power: 'running', expiry, test: false })
    await run(END_MS + 4 * DAY_MS)
    expect(await stateOf(customer)).toMatchObject({ desired: 'installed' })
    const late = await tester()
    expect(await convertServer(at(END_MS + 3 * DAY_MS), commandOf(late))).toEqual({ ok: false, code: 'SERVER_DELETED' })
  })

  it('a customer converts one test server ever, and a withdrawal from the order refunds its price', async () => {
    const customer = await tester()
    const { userId } = customer
    const converted = await convertServer(at(START_MS), commandOf(customer))
    if (!converted.ok) throw new Error(converted.code)
    const subject = { kind: 'order', documentId: converted.answer.orderId } as const
    const done = await withdraw(database.db, { userId, subject, nowMs: START_MS + 3_600_000 })
    expect(done).toMatchObject({ ok: true, answer: { backFt: 1980 } })
    expect(await stateOf(customer)).toMatchObject({ expiry: new Date(END_MS) })
    const again = await grantTestServer(at(START_MS), {
      caller: { ...callerOf(staffId), isSupport: true },
      wanted: { userId, serviceId: shop.serviceId, packageId: shop.packageId, name: 'Try' },
      requestId: 'ticket-2',
    })
    expect(again).toEqual({ ok: false, code: 'TEST_ALREADY_HAD' })
  })

  it('a conversion is refused without money, for another price, for strangers and for servers that are not tests', async () => {
    const customer = await tester(100n)
    expect(await quoteConversion(at(START_MS), commandOf(customer))).toMatchObject({ quote: { missingFt: 1880 } })
    expect(await convertServer(at(START_MS), commandOf(customer))).toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
    const other = commandOf(customer, { expectedTotalFt: 1 })
    expect(await convertServer(at(START_MS), other)).toMatchObject({ code: 'PRICE_CHANGED' })
    const stranger = commandOf({ userId: await userWith(database.db, 5000n), serverId: customer.serverId })
    expect(await convertServer(at(START_MS), stranger)).toMatchObject({ code: 'NOT_FOUND' })
    const userId = await userWith(database.db, 5000n)
    const paid = await paidServer(database.db, { shop, userId, nowMs: START_MS })
    const own = commandOf({ userId, serverId: paid.serverId })
    expect(await convertServer(at(START_MS), own)).toEqual({ ok: false, code: 'NOT_A_TEST_SERVER' })
    expect(await stateOf(customer)).toMatchObject({ test: true })
  })

  it('a customer in debt gets the same refusal as for an order of that price: the balance, and the amount to top up', async () => {
    const customer = await tester(0n)
    const ledger = at(START_MS).ledgerOn(database.db)
    await ledger.post(moves.grant(customer.userId, 500n))
    await ledger.post(moves.owe(customer.userId, 300n))
    const said = { totalFt: 1980, balanceFt: 500, missingFt: 1780 }
    expect(await quoteConversion(at(START_MS), commandOf(customer))).toMatchObject({ quote: said })
    const request = { serviceId: shop.serviceId, packageId: shop.packageId, months: 2 }
    expect(await quoteOrder(at(START_MS), { userId: customer.userId, request })).toMatchObject({ quote: said })
    expect(await convertServer(at(START_MS), commandOf(customer))).toMatchObject({ ok: false, code: 'DEBT_OPEN' })
  })

  it('a conversion needs capacity on its node, which is checked before anybody pays', async () => {
    const customer = await tester()
    const resources = { cpuPercent: 100, ramMiB: 4096, storageMiB: 2048 }
    const range = (minimum: number) => ({ minimum, maximum: 8 * minimum, step: minimum, unitPriceFt: 100 })
    const ranges = { cpuPercent: range(100), ramMiB: range(1024), storageMiB: range(2048) }
    await database.owner.query('update cms_api.services set resources = $1', [JSON.stringify(ranges)])
    await database.owner.query('update cms_api.computers set available_memory_mib = 1024')
    try {
      const command = { ...commandOf(customer), request: { resources, months: 1 } }
      expect(await quoteConversion(at(START_MS), command)).toMatchObject({ code: 'NO_CAPACITY' })
      expect(await convertServer(at(START_MS), command)).toMatchObject({ code: 'NO_CAPACITY' })
    } finally {
      await database.owner.query('update cms_api.services set resources = null')
      await database.owner.query('update cms_api.computers set available_memory_mib = 10000000')
    }
  })
})

/** Everything that a conversion writes, counted; half a conversion shows as a row that differs from the others. */
async function facts({ userId, serverId }: Customer) {
  const [row] = await database.owner.query<Record<string, number>>(
    `select (select count(*)::int from control.orders where server_id = $2 and state = 'completed') as orders,
       (select count(*)::int / 2 from control.paid_spans where server_id = $2) as spans,
       (select count(*)::int from control.wallet_transactions where user_id = $1 and type = 'order') as lines,
       (select count(*)::int from control.ledger_holds where owner_id = $1 and state = 'captured') as charges,
       (select count(*)::int from control.notifications where user_id = $1 and text = 'purchase.success') as notices,
       (select count(*)::int from control.activities where user_id = $1 and type = 'server.converted') as activities,
       s.generation - 1 as generations,
       case when s.is_test then 0 else 1 end as paid,
       case when s.expires_at = $3 then 1 else 0 end as times
     from control.servers s where s.id = $2`,
    [userId, serverId, new Date(END_MS + 2 * BILLING_MONTH_MS)],
  )
  const { money, held } = await balanceOf(database.db, userId)
  return { ...row, held, taken: Number(5000n - money) / 1980 }
}
const allOf = (count: 0 | 1) => ({
  orders: count,
  spans: count,
  lines: count,
  charges: count,
  notices: count,
  activities: count,
  generations: count,
  paid: count,
  times: count,
  taken: count,
  held: 0n,
})

const ONCE = {
  run: (command: ConvertCommand, faults?: FaultPoint) => convertServer(at(START_MS, faults), command),
  second: (command: ConvertCommand) => ({ ...command, idempotencyKey: systemIds.next() }),
  killed: (fault: string, command: ConvertCommand) => {
    const work: Work = { do: 'convert', command, nowMs: START_MS }
    return killedAt(SCRIPT, { databaseUrl: database.url, work, fault })
  },
  committed: 'conversion.committed',
}

describe('I9: a conversion that is killed, thrown or delayed at each of its fault points', () => {
  it.each(sliceOf(crashesAt(CONVERSION_FAULTS), 4))('%s: %s', async (fault, crash) => {
    const customer = await tester()
    const command = commandOf(customer)
    await crashed(ONCE, [fault, crash], command)
    const isDone = crash === 'delay' || fault === 'conversion.committed'
    expect(await facts(customer)).toEqual(allOf(isDone ? 1 : 0))
    await waitFor('the key of the killed process', async () => {
      const result = await ONCE.run(command)
      return result.ok || result.code === 'NOT_A_TEST_SERVER' ? result : undefined
    })
    expect(await facts(customer)).toEqual(allOf(1))
  })
})
