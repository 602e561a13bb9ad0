import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { systemIds } from '#platform/ids.ts'
import { SESSION_LEASE_MS } from '#domain/servers/reachability.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import {
  callerOf,
  openShop,
  orderContext,
  shopDatabase,
  userWith,
  type Shop,
  type ShopOptions,
} from '../../factories/shop.ts'

let database: ControlDatabase
beforeEach(async () => {
  database = await shopDatabase(30)
})
afterEach(() => database.close())

async function orderMany(shop: Shop, count: number, money = 990n) {
  const users = await Promise.all(Array.from({ length: count }, () => userWith(database.db, money)))
  return Promise.all(
    users.map((userId) =>
      placeOrder(orderContext(database.db), {
        caller: callerOf(userId),
        requestId: 'r',
        idempotencyKey: systemIds.next(),
        request: { serviceId: shop.serviceId, packageId: shop.packageId, months: 1, name: 'S' },
      }),
    ),
  )
}

const portsTaken = () =>
  database.owner.query<{ port: number; servers: bigint }>(
    'select port, count(distinct server_id) as servers from control.allocations group by port order by port',
  )

describe('T63: capacity', () => {
  it.each<[string, ShopOptions, string]>([
    // 3 x 1024 MiB fit into 90 % of 3500 MiB.
    ['memory', { memoryMiB: 3500 }, 'NO_CAPACITY'],
    ['ports', { portCount: 3 }, 'NO_FREE_PORT'],
    ['two ports each', { portCount: 7, ports: 2 }, 'NO_FREE_PORT'],
  ])('case 89: three places of %s are sold to 20 customers three times', async (_name, options, code) => {
    const results = await orderMany(await openShop(database.owner, options), 20)
    expect(results.filter((result) => result.ok)).toHaveLength(3)
    expect(new Set(results.flatMap((result) => (result.ok ? [] : [result.code])))).toEqual(new Set([code]))
    expect((await portsTaken()).every((row) => row.servers === 1n)).toBe(true)
    expect(await database.owner.query('select 1 from control.ledger_holds')).toHaveLength(3)
  })

  it.each<[string, ShopOptions]>([
    ['memory', { memoryMiB: 1200 }],
    ['ports', { portCount: 1 }],
  ])('case 88: the last place of %s is sold to one of 20 customers', async (_name, options) => {
    const results = await orderMany(await openShop(database.owner, options), 20)
    expect(results.filter((result) => result.ok)).toHaveLength(1)
    expect(await database.owner.query('select 1 from control.servers')).toHaveLength(1)
    expect(await database.owner.query('select 1 from control.ledger_holds')).toHaveLength(1)
  })

  it('case 89: no more disk is sold than there is', async () => {
    const shop = await openShop(database.owner)
    // Three servers of 2048 MiB, beside the reserve.
    await database.owner.query('update cms_api.computers set storage_mib = 7000')
    const results = await orderMany(shop, 20)
    expect(results.filter((result) => result.ok)).toHaveLength(3)
    const [sold] = await database.owner.query<{ disk: bigint }>('select sum(storage_mib) as disk from control.servers')
    expect(sold?.disk).toBe(6144n)
  })

  it('a node is not offered from the moment its lease ends', async () => {
    const shop = await openShop(database.owner, { nowMs: Date.UTC(2026, 5, 1) - SESSION_LEASE_MS })
    expect(await orderMany(shop, 1)).toMatchObject([{ ok: false, code: 'NO_CAPACITY' }])
  })

  it('a customer without money is first told that there is no capacity', async () => {
    const shop = await openShop(database.owner, { nowMs: Date.UTC(2026, 5, 1) - 31_000 })
    expect(await orderMany(shop, 1, 0n)).toMatchObject([{ ok: false, code: 'NO_CAPACITY' }])
  })

  it('the port of a deleted server is reused', async () => {
    const shop = await openShop(database.owner, { portCount: 1 })
    expect(await orderMany(shop, 1)).toMatchObject([{ ok: true }])
    expect(await orderMany(shop, 1)).toMatchObject([{ code: 'NO_FREE_PORT' }])
    await database.owner.query('update control.allocations set server_id = null')
    expect(await orderMany(shop, 1)).toMatchObject([{ ok: true }])
  })
})
