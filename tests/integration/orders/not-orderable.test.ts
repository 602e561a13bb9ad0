import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grantTestServer } from '../../../control-plane/money/lifetime/grant-test-server.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { quoteOrder } from '../../../control-plane/money/orders/quote-order.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { balanceOf, callerOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'

let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner)
})
afterAll(() => database.close())

const request = () => ({ serviceId: shop.serviceId, packageId: shop.packageId, months: 1 })
const order = (userId: string) =>
  placeOrder(orderContext(database.db), {
    caller: callerOf(userId),
    requestId: 'r',
    idempotencyKey: systemIds.next(),
    request: { ...request(), name: 'S' },
  })

describe('products that cannot be delivered', () => {
  it('a VPS has a price, and can be neither ordered nor granted until one can be delivered', async () => {
    const userId = await userWith(database.db, 5000n)
    await database.owner.query(`update cms_api.services set category = 'vps'`)
    try {
      const quoted = await quoteOrder(orderContext(database.db), { userId, request: request() })
      expect(quoted).toMatchObject({ ok: true, quote: { totalFt: 990 } })
      expect(await order(userId)).toEqual({ ok: false, code: 'NOT_ORDERABLE' })
      const wanted = { userId, serviceId: shop.serviceId, packageId: shop.packageId, name: 'Try' }
      await database.owner.query(
        `insert into cms_api.people (id, username, identifier, email, language, verified, invoice_type, is_admin, is_support)
         values ($1, 'u', 'acdefghj', 'u@example.test', 'hu', true, 'electronic', false, false)`,
        [userId],
      )
      const grant = { caller: callerOf(userId), wanted, requestId: 'r' }
      expect(await grantTestServer(orderContext(database.db), grant)).toEqual({ ok: false, code: 'NOT_ORDERABLE' })
    } finally {
      await database.owner.query(`update cms_api.services set category = 'gameServer'`)
    }
    expect(await balanceOf(database.db, userId)).toEqual({ money: 5000n, held: 0n, available: 5000n })
  })

  it.each(['services', 'packages'])('%s that staff have withdrawn from sale cannot be ordered', async (table) => {
    const userId = await userWith(database.db, 5000n)
    await database.owner.query(`update cms_api.${table} set orderable = false`)
    try {
      expect(await order(userId)).toMatchObject({ ok: false })
    } finally {
      await database.owner.query(`update cms_api.${table} set orderable = true`)
    }
    expect(await balanceOf(database.db, userId)).toMatchObject({ held: 0n })
    expect(await order(userId)).toMatchObject({ ok: true })
  })
})
