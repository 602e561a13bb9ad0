import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { BILLING_MONTH_MS, DAY_MS } from '#domain/billing/period.ts'
import { readServerCharges, refundServer } from '../../../control-plane/money/withdrawal/refund-server.ts'
import { bonusGranted } from '../../../control-plane/money/ledger/postings.ts'
import { modifyServer } from '../../../control-plane/money/modification/modify-server.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { systemIds } from '#platform/ids.ts'
import { renewServer } from '../../../control-plane/money/renewals/renew-server.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { renewCommand } from '../../factories/paid-server.ts'
import { balanceOf, callerOf, credit, openShop, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { LARGE, SMALL, sellSizes } from '../../factories/size-changes.ts'
import { withdraw, withdrawalContext } from '../../factories/withdrawals.ts'

const START_MS = Date.UTC(2026, 5, 1)
// 1000 Ft for a processor, 500 for each GiB of memory: 1500, 2500 and 3000 Ft a month.
const MEDIUM = { cpuPercent: 200, ramMiB: 1024, storageMiB: 1024 }

let database: ControlDatabase
let shop: Shop
let staffId: string
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner, { portCount: 2000, memoryMiB: 10_000_000 })
  await sellSizes(database.owner)
  staffId = await userWith(database.db, 0n)
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

const at = (nowMs: number) => withdrawalContext(database.db, { nowMs })

async function customerWith(moneyFt: bigint, { months = 1, resources = SMALL } = {}) {
  const userId = await userWith(database.db, moneyFt)
  const placed = await placeOrder(at(START_MS), {
    caller: callerOf(userId),
    requestId: 'r',
    idempotencyKey: systemIds.next(),
    request: { serviceId: shop.serviceId, resources, months, name: 'Castle' },
  })
  if (!placed.ok) throw new Error(placed.code)
  const { serverId, orderId } = placed.answer
  await settleOrder(at(START_MS), { serverId, outcome: 'installed', reason: '' })
  return { userId, serverId, order: { kind: 'order', documentId: orderId } as const }
}
type Customer = Awaited<ReturnType<typeof customerWith>>

async function grantBonus(userId: string, amountFt: bigint): Promise<void> {
  const origin = { id: systemIds.next(), atMs: START_MS, actor: 'system', requestId: 'r' }
  const given = { id: systemIds.next(), userId, amount: forints(amountFt), reason: 'Welcome' }
  await at(START_MS).ledgerOn(database.db).post(bonusGranted(origin, given))
}
async function renewed(customer: Customer, nowMs: number) {
  const result = await renewServer(at(nowMs), renewCommand(customer))
  if (!result.ok) throw new Error(result.code)
  return { kind: 'renewal', documentId: result.answer.renewalId } as const
}
async function resized({ userId, serverId }: Customer, resources: typeof SMALL, nowMs: number) {
  const result = await modifyServer(at(nowMs), {
    caller: callerOf(userId),
    serverId,
    request: { resources },
    idempotencyKey: systemIds.next(),
    requestId: 'm',
  })
  if (!result.ok) throw new Error(result.code)
  return result.answer
}
const refunded = (
  { serverId }: Customer,
  nowMs: number,
  { amountFt, endServer = false }: { amountFt?: number; endServer?: boolean } = {},
) =>
  refundServer(at(nowMs), {
    staffId,
    serverId,
    amountFt,
    reason: 'The node was down.',
    endServer,
    requestId: 'refund',
    idempotencyKey: systemIds.next(),
  })
const withdrawn = ({ userId }: Customer, subject: Parameters<typeof withdraw>[1]['subject'], nowMs: number) =>
  withdraw(database.db, { userId, subject, nowMs })
const bucketsOf = async ({ userId }: Customer) => {
  const { money, available } = await balanceOf(database.db, userId)
  return { money, bonus: available - money }
}
const expiryOf = async ({ serverId }: Customer) => {
  const [row] = await database.owner.query<{ expires_at: Date }>(
    'select expires_at from control.servers where id = $1',
    [serverId],
  )
  return row?.expires_at.getTime()
}

describe('an upgrade partly paid by bonus and split by a withdrawal', () => {
  it('I14: it refunds no more money than it took, whatever a downgrade refunded before', async () => {
    const customer = await customerWith(3000n)
    const renewal = await renewed(customer, START_MS)
    await credit(database.db, { userId: customer.userId, amountFt: 1500n })
    await grantBonus(customer.userId, 1500n)
    // 3000 Ft for two months, half of them bonus.
    await resized(customer, LARGE, START_MS)
    expect(await bucketsOf(customer)).toEqual({ money: 0n, bonus: 0n })
    await resized(customer, MEDIUM, START_MS)
    expect(await bucketsOf(customer)).toEqual({ money: 1000n, bonus: 0n })
    expect(await withdrawn(customer, renewal, START_MS)).toMatchObject({ answer: { backFt: 2500 } })
    expect(await bucketsOf(customer)).toEqual({ money: 3000n, bonus: 500n })
    expect(await withdrawn(customer, customer.order, START_MS)).toMatchObject({ answer: { backFt: 2500 } })
    expect(await bucketsOf(customer)).toEqual({ money: 4500n, bonus: 1500n })
  })
})

describe('earlier refunds by staff', () => {
  const NOW_MS = START_MS + 10 * DAY_MS

  it('T27: staff’s refund is not made again by staff, by a withdrawal or by a downgrade', async () => {
    const customer = await customerWith(1500n)
    expect(await refunded(customer, NOW_MS)).toMatchObject({ answer: { moneyFt: 1000 } })
    expect(await readServerCharges(at(NOW_MS), customer.serverId)).toMatchObject({ unused: { minor: 0n } })
    expect(await refunded(customer, NOW_MS)).toMatchObject({ ok: false, code: 'AMOUNT_INVALID' })
    expect(await withdrawn(customer, customer.order, NOW_MS)).toMatchObject({ answer: { backFt: 0, keptFt: 500 } })
    expect(await bucketsOf(customer)).toEqual({ money: 1000n, bonus: 0n })
  })

  it('T27: staff’s refund of several months lowers a withdrawal’s refund by exactly that much', async () => {
    const customer = await customerWith(3000n, { months: 2 })
    await refunded(customer, NOW_MS, { amountFt: 1700 })
    // 2500 Ft are for days to come.
    expect(await withdrawn(customer, customer.order, NOW_MS)).toMatchObject({ answer: { backFt: 800, keptFt: 500 } })
  })

  it('T27: staff’s refund lowers a downgrade’s refund', async () => {
    const customer = await customerWith(3000n, { resources: LARGE })
    await refunded(customer, START_MS, { amountFt: 1200 })
    expect(await resized(customer, SMALL, START_MS)).toMatchObject({ backFt: 300 })
    expect(await withdrawn(customer, customer.order, START_MS)).toMatchObject({ answer: { backFt: 1500 } })
    expect(await bucketsOf(customer)).toEqual({ money: 3000n, bonus: 0n })
  })
})

describe('a renewal after staff ended a server with a prepaid month', () => {
  it('that renewal is withdrawn from first, and loses none of its days to a withdrawal from the previous month', async () => {
    const customer = await customerWith(6000n)
    const ahead = await renewed(customer, START_MS)
    const endedMs = START_MS + 5 * DAY_MS
    expect(await refunded(customer, endedMs, { amountFt: 100, endServer: true })).toMatchObject({ ok: true })
    expect(await expiryOf(customer)).toBe(endedMs)
    const again = await renewed(customer, endedMs)
    expect(await withdrawn(customer, ahead, endedMs)).toMatchObject({ code: 'LATER_RENEWAL_FIRST' })
    expect(await expiryOf(customer)).toBe(endedMs + BILLING_MONTH_MS)
    expect(await withdrawn(customer, again, endedMs)).toMatchObject({ answer: { backFt: 1500 } })
    expect(await withdrawn(customer, ahead, endedMs)).toMatchObject({ answer: { backFt: 1400 } })
    expect(await expiryOf(customer)).toBe(endedMs)
  })
})

describe('a server that staff end as a paid period begins', () => {
  const ended = async (nowMs: number) => {
    const customer = await customerWith(50_000n)
    await renewed(customer, START_MS)
    expect(await refunded(customer, nowMs, { amountFt: 100, endServer: true })).toMatchObject({ ok: true })
    return customer
  }

  it.each([
    ['at that moment', START_MS + BILLING_MONTH_MS],
    ['whole months before it', START_MS],
  ])('T30: it is renewed like any other, and each period is charged once: %s', async (_name, nowMs) => {
    const customer = await ended(nowMs)
    const months = [1, 1, 2]
    for (const each of months) {
      const result = await renewServer(at(nowMs), renewCommand(customer, { request: { months: each } }))
      expect(result).toMatchObject({ ok: true, answer: { totalFt: 1500 * each } })
    }
    expect((await balanceOf(database.db, customer.userId)).money).toBe(50_000n - 6n * 1500n + 100n)
    const [server] = await database.owner.query<{ expires_at: Date; power: string }>(
      'select expires_at, desired_power as power from control.servers where id = $1',
      [customer.serverId],
    )
    expect(server).toEqual({ expires_at: new Date(nowMs - 1 + 4 * BILLING_MONTH_MS), power: 'running' })
  })

  it('the server is stopped at once', async () => {
    const { serverId } = await ended(START_MS + BILLING_MONTH_MS)
    const servers = 'select desired_power as power from control.servers where id = $1'
    expect(await database.owner.query(servers, [serverId])).toEqual([{ power: 'stopped' }])
  })
})
