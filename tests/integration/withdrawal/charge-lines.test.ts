import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { DAY_MS } from '#domain/billing/period.ts'
import { refundServer } from '../../../control-plane/money/withdrawal/refund-server.ts'
import { readStatement } from '../../../control-plane/money/wallet/statement.ts'
import { modifyServer } from '../../../control-plane/money/modification/modify-server.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { systemIds } from '#platform/ids.ts'
import { purchasePremium } from '../../../control-plane/money/premium/buy-premium.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { callerOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { LARGE, SMALL, sellSizes } from '../../factories/size-changes.ts'
import { withdraw } from '../../factories/withdrawals.ts'

const START_MS = Date.UTC(2026, 5, 1)
const NOW_MS = START_MS + 10 * DAY_MS

let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner, { portCount: 500, memoryMiB: 10_000_000 })
  await sellSizes(database.owner)
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

const at = (nowMs: number) => orderContext(database.db, { now: () => nowMs })

async function customer(size = SMALL) {
  const userId = await userWith(database.db, 10_000n)
  const placed = await placeOrder(at(START_MS), {
    caller: callerOf(userId),
    requestId: 'r',
    idempotencyKey: systemIds.next(),
    request: { serviceId: shop.serviceId, resources: size, months: 1, name: 'S' },
  })
  if (!placed.ok) throw new Error(placed.code)
  const { serverId, orderId } = placed.answer
  await settleOrder(at(START_MS), { serverId, outcome: 'installed', reason: '' })
  return { userId, serverId, orderId }
}

const resize = ({ userId, serverId }: { userId: string; serverId: string }, resources: typeof SMALL) =>
  modifyServer(at(NOW_MS), {
    caller: callerOf(userId),
    serverId,
    request: { resources },
    idempotencyKey: systemIds.next(),
    requestId: 'm',
  })

/** The line of a charge, and the sum that came back by the other lines. */
async function linesOf(userId: string, documentId: string) {
  const { items } = await readStatement(database.db, { userId })
  const charge = items.find(({ document, amount }) => document.id === documentId && amount < 0)
  const back = items.filter(({ type }) => type !== 'top-up').reduce((sum, { amount }) => sum + Math.max(0, amount), 0)
  return { charged: charge?.amount, refundedFt: charge?.refundedFt, back }
}

it('lines of an order and of an upgrade each show the refund of a withdrawal', async () => {
  const { userId, serverId, orderId } = await customer()
  const larger = await resize({ userId, serverId }, LARGE)
  if (!larger.ok) throw new Error(larger.code)
  await withdraw(database.db, { userId, subject: { kind: 'order', documentId: orderId }, nowMs: NOW_MS })
  const { modificationId, chargeFt } = larger.answer
  const order = await linesOf(userId, orderId)
  expect(order).toEqual({ charged: -1500, refundedFt: 1000, back: 1000 + chargeFt })
  expect(await linesOf(userId, modificationId)).toMatchObject({ charged: -chargeFt, refundedFt: chargeFt })
})

it('the line of an order shows staff’s refunds, more with each one', async () => {
  const { userId, serverId, orderId } = await customer()
  const refund = (amountFt: number) =>
    refundServer(at(NOW_MS), {
      staffId: systemIds.next(),
      serverId,
      amountFt,
      reason: 'The node was down.',
      endServer: false,
      requestId: 'r',
      idempotencyKey: systemIds.next(),
    })
  await refund(400)
  expect(await linesOf(userId, orderId)).toEqual({ charged: -1500, refundedFt: 400, back: 400 })
  await refund(1100)
  expect(await linesOf(userId, orderId)).toEqual({ charged: -1500, refundedFt: 1500, back: 1500 })
})

it('the line of an order shows the refund of a downgrade', async () => {
  const { userId, serverId, orderId } = await customer(LARGE)
  const smaller = await resize({ userId, serverId }, SMALL)
  if (!smaller.ok) throw new Error(smaller.code)
  const { backFt } = smaller.answer
  expect(backFt).toBeGreaterThan(0)
  expect(await linesOf(userId, orderId)).toMatchObject({ refundedFt: backFt, back: backFt })
})

it('the line of a premium tier shows the refund of a withdrawal', async () => {
  const userId = await userWith(database.db, 10_000n)
  const bought = await purchasePremium(at(START_MS), {
    caller: callerOf(userId),
    request: { tier: 'maximus' },
    requestId: 'p',
    idempotencyKey: systemIds.next(),
  })
  if (!bought.ok) throw new Error(bought.code)
  const { id } = bought.answer
  const done = await withdraw(database.db, { userId, subject: { kind: 'premium', documentId: id }, nowMs: NOW_MS })
  if (!done.ok) throw new Error(done.code)
  const { backFt } = done.answer
  expect(backFt).toBeGreaterThan(0)
  expect(await linesOf(userId, id)).toMatchObject({ refundedFt: backFt, back: backFt })
})
