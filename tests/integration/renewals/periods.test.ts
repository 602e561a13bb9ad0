import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { BILLING_MONTH_MS, DAY_MS } from '#domain/billing/period.ts'
import { modifyServer } from '../../../control-plane/money/modification/modify-server.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { systemIds } from '#platform/ids.ts'
import { renewServer } from '../../../control-plane/money/renewals/renew-server.ts'
import { answeringNode } from '../../factories/answering-node.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { paidServer, renewCommand } from '../../factories/paid-server.ts'
import { balanceOf, callerOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { LARGE, SMALL, sellSizes } from '../../factories/size-changes.ts'

let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner, { portCount: 1000, memoryMiB: 1_000_000 })
  await sellSizes(database.owner)
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

const at = (nowMs: number) => orderContext(database.db, { now: () => nowMs })
const expiryOf = async (serverId: string) => {
  const [row] = await database.owner.query<{ expires_at: Date }>(
    'select expires_at from control.servers where id = $1',
    [serverId],
  )
  return row?.expires_at.getTime() ?? 0
}

it.each([
  ['31 January', Date.UTC(2026, 0, 31, 23, 59, 59)],
  ['29 February', Date.UTC(2028, 1, 29)],
  ['a day of the change to summer time', Date.UTC(2026, 2, 29, 0, 30)],
])('T32: twelve renewals from %s on are twelve times 30 x 24 h without gaps', async (_day, startMs) => {
  await answeringNode(database, shop).beatAt(startMs)
  const userId = await userWith(database.db, 13n * 990n)
  const { serverId } = await paidServer(database.db, { shop, userId, nowMs: startMs })
  // Each is paid at another moment: early, at the last one, and after the expiry.
  const moments = [-20 * DAY_MS, 0, DAY_MS - 1]
  for (let month = 1; month <= 12; month += 1) {
    const nowMs = startMs + month * BILLING_MONTH_MS + (moments[month % 3] ?? 0)
    expect(await renewServer(at(nowMs), renewCommand({ userId, serverId }))).toMatchObject({ ok: true })
    expect(await expiryOf(serverId)).toBe(startMs + (month + 1) * BILLING_MONTH_MS)
  }
  const periods = await database.owner.query<{ period_start: Date; period_end: Date }>(
    'select period_start, period_end from control.renewals where server_id = $1 order by period_start',
    [serverId],
  )
  expect(periods).toEqual(
    Array.from({ length: 12 }, (_, month) => ({
      period_start: new Date(startMs + (month + 1) * BILLING_MONTH_MS),
      period_end: new Date(startMs + (month + 2) * BILLING_MONTH_MS),
    })),
  )
  expect(await balanceOf(database.db, userId)).toEqual({ money: 0n, held: 0n, available: 0n })
})

it('T36: three more months and a resize cost the same in either order, and no month is charged twice', async () => {
  const startMs = Date.UTC(2026, 5, 1)
  const nowMs = startMs + 10 * DAY_MS
  const changed: ((customer: { userId: string; serverId: string }) => Promise<unknown>)[] = [
    (customer) => renewServer(at(nowMs), renewCommand(customer, { request: { months: 3 } })),
    ({ userId, serverId }) =>
      modifyServer(at(nowMs), {
        caller: callerOf(userId),
        serverId,
        idempotencyKey: systemIds.next(),
        requestId: 'm',
        request: { resources: LARGE },
      }),
  ]
  for (const order of [changed, changed.toReversed()]) {
    await answeringNode(database, shop).beatAt(startMs)
    const userId = await userWith(database.db, 20_000n)
    const placed = await placeOrder(at(startMs), {
      caller: callerOf(userId),
      requestId: 'r',
      idempotencyKey: systemIds.next(),
      request: { serviceId: shop.serviceId, resources: SMALL, months: 1, name: 'S' },
    })
    if (!placed.ok) throw new Error(placed.code)
    const { serverId } = placed.answer
    await settleOrder(at(startMs), { serverId, outcome: 'installed', reason: '' })
    for (const change of order) expect(await change({ userId, serverId })).toMatchObject({ ok: true })
    // 20 days of 1,500 Ft more, and three months of 3,000 Ft.
    expect(await balanceOf(database.db, userId)).toMatchObject({ available: 20_000n - 1500n - 1000n - 9000n })
    expect(await expiryOf(serverId)).toBe(startMs + 4 * BILLING_MONTH_MS)
  }
})
