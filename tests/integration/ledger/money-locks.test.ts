import { afterAll, beforeAll, expect, it } from 'vitest'
import { lockInOrder, type MoneyLocks } from '../../../control-plane/money/ledger/lock-order.ts'
import { systemIds } from '#platform/ids.ts'
import { paidServer } from '../../factories/paid-server.ts'
import { openShop, shopDatabase, userWith } from '../../factories/shop.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'

let database: ControlDatabase
const servers = { one: '', other: '' }
beforeAll(async () => {
  database = await shopDatabase()
  const shop = await openShop(database.owner)
  for (const name of ['one', 'other'] as const) {
    const userId = await userWith(database.db, 1_000n)
    servers[name] = (await paidServer(database.db, { shop, userId, nowMs: Date.UTC(2026, 5, 1) })).serverId
  }
})
afterAll(() => database.close())

const NOT_FREE = '55P03'
/** Whether a transaction has to wait for these locks while another one holds those. */
const waits = (held: MoneyLocks, wanted: MoneyLocks): Promise<boolean> =>
  database.db.transaction(async (holder) => {
    await lockInOrder(holder, held)
    const second = database.db.transaction(async (tx) => {
      await tx.query("set local lock_timeout = '300ms'")
      await lockInOrder(tx, wanted)
      return false
    })
    return second.catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === NOT_FREE) return true
      throw error
    })
  })

const [ONE, OTHER] = [systemIds.next(), systemIds.next()]
const alone = (userId: string): MoneyLocks => ({ premium: { userId, as: 'alone' } })
const shared = (userId: string): MoneyLocks => ({ premium: { userId, as: 'shared' } })

it.each<[string, () => MoneyLocks, () => MoneyLocks]>([
  ['person', () => ({ person: ONE }), () => ({ person: OTHER })],
  ['server', () => ({ server: servers.one }), () => ({ server: servers.other })],
  ['premium', () => alone(ONE), () => alone(OTHER)],
  ['coupon of orders', () => ({ coupon: { of: 'order', id: ONE } }), () => ({ coupon: { of: 'spins', id: ONE } })],
  ['spins', () => ({ spins: ONE }), () => ({ spins: OTHER })],
  ['wallet', () => ({ wallet: ONE }), () => ({ wallet: OTHER })],
])('the lock of %s is held until the end of the transaction, and against nobody else', async (_name, one, other) => {
  expect(await waits(one(), one())).toBe(true)
  expect(await waits(one(), other())).toBe(false)
  expect(await waits(other(), one())).toBe(false)
})

it('sales that a tier discounts do not wait for one another, but for its purchase', async () => {
  expect(await waits(shared(ONE), shared(ONE))).toBe(false)
  expect(await waits(alone(ONE), shared(ONE))).toBe(true)
  expect(await waits(shared(ONE), alone(ONE))).toBe(true)
})
