import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { BILLING_MONTH_MS } from '#domain/billing/period.ts'
import { modifyServer } from '../../../control-plane/money/modification/modify-server.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { systemIds } from '#platform/ids.ts'
import { renewServer } from '../../../control-plane/money/renewals/renew-server.ts'
import { requestDeletion } from '../../../control-plane/servers/store/server-store.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { renewCommand } from '../../factories/paid-server.ts'
import { balanceOf, callerOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { LARGE, SMALL, sellSizes } from '../../factories/size-changes.ts'

const START_MS = Date.UTC(2026, 5, 1)
const EXPIRY_MS = START_MS + BILLING_MONTH_MS

let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase(20)
  shop = await openShop(database.owner, { portCount: 1000, memoryMiB: 1_000_000 })
  await sellSizes(database.owner)
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

const context = () => orderContext(database.db, { now: () => START_MS })

/** A customer with a paid server of 1500 Ft a month, and so much left. */
async function customerWith(restFt: bigint) {
  const userId = await userWith(database.db, 1500n + restFt)
  const placed = await placeOrder(context(), {
    caller: callerOf(userId),
    requestId: 'r',
    idempotencyKey: systemIds.next(),
    request: { serviceId: shop.serviceId, resources: SMALL, months: 1, name: 'S' },
  })
  if (!placed.ok) throw new Error(placed.code)
  const { serverId } = placed.answer
  await settleOrder(context(), { serverId, outcome: 'installed', reason: '' })
  return { userId, serverId }
}
type Customer = Awaited<ReturnType<typeof customerWith>>

const renew = (of: Customer) => renewServer(context(), renewCommand(of))
const enlarge = ({ userId, serverId }: Customer) =>
  modifyServer(context(), {
    caller: callerOf(userId),
    serverId,
    requestId: 'm',
    idempotencyKey: systemIds.next(),
    request: { resources: LARGE },
  })
const serverOf = async ({ serverId }: Customer) =>
  (
    await database.owner.query<{ expiry: Date; monthly: number; desired: string; suspended: boolean }>(
      `select expires_at as expiry, monthly_price_ft::int as monthly, desired, suspended from control.servers where id = $1`,
      [serverId],
    )
  )[0]
const moneyOf = async ({ userId }: Customer) => (await balanceOf(database.db, userId)).money

describe('case 73: a renewal during other changes of the server', () => {
  it('case 73: a concurrent resize and renewal both count, and cost the same in either order', async () => {
    for (let round = 0; round < 6; round += 1) {
      const customer = await customerWith(10_000n)
      const results = await Promise.all(
        round % 2 === 0 ? [renew(customer), enlarge(customer)] : [enlarge(customer), renew(customer)],
      )
      expect(results.map(({ ok }) => ok)).toEqual([true, true])
      expect(await moneyOf(customer)).toBe(10_000n - 4500n)
      expect(await serverOf(customer)).toMatchObject({
        expiry: new Date(EXPIRY_MS + BILLING_MONTH_MS),
        monthly: 3000,
      })
    }
  })

  it('case 73: of a concurrent resize and renewal with money for one, one succeeds', async () => {
    for (let round = 0; round < 6; round += 1) {
      const customer = await customerWith(1500n)
      const results = await Promise.all([renew(customer), enlarge(customer)])
      expect(results.filter(({ ok }) => ok)).toHaveLength(1)
      expect(await moneyOf(customer)).toBe(0n)
    }
  })

  it('case 73: a server renewed during its deletion is paid and kept, or deleted and not paid', async () => {
    for (let round = 0; round < 8; round += 1) {
      const customer = await customerWith(1500n)
      const deleted = database.db.transaction((tx) => requestDeletion(tx, customer.serverId))
      const [renewed] = await Promise.all([renew(customer), deleted])
      expect(await serverOf(customer)).toMatchObject({ desired: 'deleted' })
      expect(await moneyOf(customer)).toBe(renewed.ok ? 0n : 1500n)
      // A renewal that comes after it pays nothing.
      expect(await renew(customer)).toMatchObject({ ok: false, code: 'NOT_FOUND' })
    }
  })

  it('case 73: a suspended server can be renewed, and stays suspended', async () => {
    const customer = await customerWith(1500n)
    await database.owner.query('update control.servers set suspended = true where id = $1', [customer.serverId])
    expect(await renew(customer)).toMatchObject({ ok: true })
    expect(await serverOf(customer)).toMatchObject({ suspended: true, expiry: new Date(EXPIRY_MS + BILLING_MONTH_MS) })
  })
})
