import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { expireHolds, settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { HOLD_MS } from '../../../control-plane/money/orders/order-context.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { systemIds } from '#platform/ids.ts'
import { reconcileServer } from '../../../control-plane/servers/provisioning/apply-plan.ts'
import { answeringNode } from '../../factories/answering-node.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { balanceOf, callerOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'

const START_MS = Date.UTC(2026, 5, 1)
const MINUTE_MS = 60_000

let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner)
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

const at = (nowMs: number) => orderContext(database.db, { now: () => nowMs })
async function placed(userId: string): Promise<string> {
  await answeringNode(database, shop).beatAt(START_MS)
  const result = await placeOrder(at(START_MS), {
    caller: callerOf(userId),
    requestId: 'r',
    idempotencyKey: systemIds.next(),
    request: { serviceId: shop.serviceId, packageId: shop.packageId, months: 1, name: 'S' },
  })
  if (!result.ok) throw new Error(result.code)
  return result.answer.serverId
}
/** The node's report of an installation waits for the job that ends its order. */
const settlements = () =>
  database.owner.query<{ outcome: string }>(
    `select payload ->> 'outcome' as outcome from control.outbox where topic = 'order-settle'`,
  )

it('T50: a node that is away for ten minutes is waited for, then asked once, and the price is charged once', async () => {
  const userId = await userWith(database.db, 990n)
  const serverId = await placed(userId)
  const node = answeringNode(database, shop)
  for (let minute = 1; minute < 10; minute += 1) {
    const plan = await reconcileServer(serverId, 'r', node.depsAt(START_MS + minute * MINUTE_MS))
    expect(plan).toEqual({ do: 'nothing', because: 'node-unreachable' })
    await expireHolds(at(START_MS + minute * MINUTE_MS))
  }
  expect(await balanceOf(database.db, userId)).toEqual({ money: 990n, held: 990n, available: 0n })
  const backMs = START_MS + 10 * MINUTE_MS
  expect(await node.askedAt(serverId, backMs)).toEqual({ do: 'step', step: { kind: 'install' } })
  for (let look = 0; look < 3; look += 1) {
    expect(await node.askedAt(serverId, backMs)).toEqual({ do: 'nothing', because: 'in-flight' })
  }
  await node.says(serverId, backMs, 'done')
  expect(await settlements()).toEqual([{ outcome: 'installed' }])
  await settleOrder(at(backMs), { serverId, outcome: 'installed', reason: '' })
  expect(await balanceOf(database.db, userId)).toEqual({ money: 0n, held: 0n, available: 0n })
  await database.owner.query('delete from control.outbox')
})

it('T50: a node that never returns costs nothing: the hold is released in time, and nothing is installed afterwards', async () => {
  const userId = await userWith(database.db, 990n)
  const serverId = await placed(userId)
  const node = answeringNode(database, shop)
  await expireHolds(at(START_MS + HOLD_MS))
  expect(await balanceOf(database.db, userId)).toEqual({ money: 990n, held: 0n, available: 990n })
  const notices = await database.owner.query('select text from control.notifications where user_id = $1', [userId])
  expect(notices).toEqual([{ text: 'order.failed' }])
  const plan = await node.askedAt(serverId, START_MS + HOLD_MS + MINUTE_MS)
  expect(plan).toEqual({ do: 'step', step: { kind: 'delete' } })
})
