import { afterAll, beforeAll, expect, it } from 'vitest'
import { BILLING_MONTH_MS } from '#domain/billing/period.ts'
import { catchUpOrders } from '../../../control-plane/money/orders/catch-up-orders.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { openShop, orderContext, shopDatabase, type Shop } from '../../factories/shop.ts'
import { bookedOf, documentsOf, keyedFor, taxedCustomer } from '../../factories/taxed-sales.ts'
import { systemIds } from '#platform/ids.ts'

const START_MS = Date.UTC(2026, 5, 1)
let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner)
})
afterAll(() => database.close())

const context = (nowMs = START_MS) => orderContext(database.db, { now: () => nowMs })

/** An order with a coupon, ended by the program before: it takes the money, and knows of nothing else. */
async function settledBefore(outcome: 'installed' | 'failed', nowMs = START_MS) {
  const userId = await taxedCustomer(database, { country: 'DE', atMs: START_MS })
  const request = { serviceId: shop.serviceId, packageId: shop.packageId, months: 2, name: 'S' }
  const placed = await placeOrder(context(), { ...keyedFor(userId), request })
  if (!placed.ok) throw new Error(placed.code)
  const { orderId, serverId } = placed.answer
  await database.owner.query('update control.orders set tax = default, paid_by_month = default where id = $1', [
    orderId,
  ])
  await database.owner.query(
    `insert into control.coupon_reservations (coupon_id, order_id, user_id, code, once, amount_ft, created_at)
     values ($1, $2, $3, 'SPRING', false, 100, $4)`,
    [systemIds.next(), orderId, userId, new Date(START_MS)],
  )
  const seller = (name: string) => database.owner.query('update cms_api.invoicing set seller_name = $1', [name])
  await seller('')
  await settleOrder(context(nowMs), { serverId, outcome, reason: 'x' })
  await seller('Bakter Kft.')
  await database.owner.query('delete from control.invoices_waiting')
  await database.owner.query('delete from control.paid_spans where order_id = $1', [orderId])
  await database.owner.query(
    `update control.coupon_reservations set state = 'reserved', settled_at = null where order_id = $1`,
    [orderId],
  )
  return { userId, orderId, serverId }
}

const couponOf = async (orderId: string) =>
  (
    await database.owner.query<{ state: string }>('select state from control.coupon_reservations where order_id = $1', [
      orderId,
    ])
  )[0]?.state
const spansOf = (orderId: string) =>
  database.owner.query(
    'select start_at, end_at, paid_ft::int as paid from control.paid_spans where order_id = $1 order by position',
    [orderId],
  )

it('orders settled by the previous release get spans, invoice and coupon, once however often it runs', async () => {
  const { userId, orderId } = await settledBefore('installed')
  const later = context(START_MS + 60_000)
  const counts = await Promise.all([catchUpOrders(later), catchUpOrders(later)])
  expect(counts.reduce((all, count) => all + count, 0)).toBe(1)
  expect(await catchUpOrders(later)).toBe(0)
  const month = (index: number) => new Date(START_MS + index * BILLING_MONTH_MS)
  expect(await spansOf(orderId)).toEqual([
    { start_at: month(0), end_at: month(1), paid: 990 },
    { start_at: month(1), end_at: month(2), paid: 990 },
  ])
  const documents = await documentsOf(database.owner, userId)
  expect(documents).toMatchObject([{ cause: 'order', documentId: orderId, rule: 'domestic-HU', gross: 1980 }])
  expect(await bookedOf(database.owner, orderId)).toEqual({ net: documents[0]?.net, vat: documents[0]?.vat })
  expect(await couponOf(orderId)).toBe('used')
})

it('a failed order only frees its coupon', async () => {
  const { userId, orderId } = await settledBefore('failed')
  expect(await catchUpOrders(context())).toBe(0)
  expect([await couponOf(orderId), await spansOf(orderId), await documentsOf(database.owner, userId)]).toEqual([
    'released',
    [],
    [],
  ])
})

it('pending orders and those settled by this release are left alone', async () => {
  const userId = await taxedCustomer(database, { country: 'HU', atMs: START_MS })
  const request = { serviceId: shop.serviceId, packageId: shop.packageId, months: 1, name: 'S' }
  const [done, open] = [
    await placeOrder(context(), { ...keyedFor(userId), request }),
    await placeOrder(context(), { ...keyedFor(userId), request }),
  ]
  if (!done.ok || !open.ok) throw new Error('not ordered')
  await settleOrder(context(), { serverId: done.answer.serverId, outcome: 'installed', reason: '' })
  expect(await catchUpOrders(context())).toBe(0)
  expect(await documentsOf(database.owner, userId)).toHaveLength(1)
  expect(await spansOf(open.answer.orderId)).toEqual([])
})
