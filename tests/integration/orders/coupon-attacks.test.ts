import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { QuoteRequest } from '#contracts/http/order.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { quoteOrder } from '../../../control-plane/money/orders/quote-order.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { systemIds } from '#platform/ids.ts'
import { requestDeletion } from '../../../control-plane/servers/store/server-store.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { balanceOf, callerOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'

const PRICE = 990n
let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase(40)
  shop = await openShop(database.owner, { portCount: 10_000, memoryMiB: 100_000_000 })
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

let codes = 0
type Columns = { type?: string; amount?: number; maximum_usage?: number; usage?: string }

/** A coupon of staff; answers its code. */
async function coupon({ type = 'percentage', amount = 50, maximum_usage: most, usage = 'multiple' }: Columns = {}) {
  const code = `ATTACK${(codes += 1)}`
  await database.owner.query(
    `insert into cms_api.coupons (id, name, code, type, amount, usage, maximum_usage) values ($1, $2, $2, $3, $4, $5, $6)`,
    [systemIds.next(), code, type, amount, usage, most ?? null],
  )
  return code
}

const context = () => orderContext(database.db)
const requestOf = (couponCode?: string, changes: object = {}) => ({
  serviceId: shop.serviceId,
  packageId: shop.packageId,
  months: 1,
  name: 'S',
  ...(couponCode === undefined ? {} : { couponCode }),
  ...changes,
})
const order = (userId: string, request: ReturnType<typeof requestOf>) =>
  placeOrder(context(), { caller: callerOf(userId), requestId: 'r', idempotencyKey: systemIds.next(), request })
const quote = (userId: string, request: ReturnType<typeof requestOf>) => quoteOrder(context(), { userId, request })
const heldBy = async (userId: string) => (await balanceOf(database.db, userId)).held
const countedUses = async (code: string) =>
  (
    await database.owner.query(`select 1 from control.coupon_reservations where code = $1 and state <> 'released'`, [
      code,
    ])
  ).length

describe('case 69: a coupon between the quote and the payment', () => {
  it.each([
    ['deleted', 'delete from cms_api.coupons where code = $1', 'COUPON_NOT_FOUND'],
    ['switched off', 'update cms_api.coupons set active = false where code = $1', 'COUPON_INACTIVE'],
    ['used up', 'update cms_api.coupons set maximum_usage = 0 where code = $1', 'COUPON_USED_UP'],
    ['made smaller', 'update cms_api.coupons set amount = 10 where code = $1', 'PRICE_CHANGED'],
    ['made larger', 'update cms_api.coupons set amount = 100 where code = $1', 'PRICE_CHANGED'],
  ])('case 69: one that is %s makes no order at another price than the displayed one', async (_name, change, code) => {
    const typed = await coupon()
    const userId = await userWith(database.db, 5000n)
    const quoted = await quote(userId, requestOf(typed))
    if (!quoted.ok) throw new Error(quoted.code)
    await database.owner.query(change, [typed])
    const placed = await order(userId, requestOf(typed, { expectedTotalFt: quoted.quote.totalFt }))
    expect(placed).toMatchObject({ ok: false, code })
    expect([await heldBy(userId), await countedUses(typed)]).toEqual([0n, 0])
  })

  it('case 69: several codes at once are not a valid code', async () => {
    const [one, two] = [await coupon(), await coupon()]
    const userId = await userWith(database.db, 5000n)
    for (const stacked of [`${one},${two}`, `${one};${two}`, `${one}&couponCode=${two}`, `${one}\n${two}`]) {
      expect(await order(userId, requestOf(stacked))).toMatchObject({ ok: false })
    }
    for (const couponCode of [[one, two], { 0: one, 1: two }]) {
      expect(QuoteRequest.safeParse({ ...requestOf(), couponCode }).success).toBe(false)
    }
    expect(await heldBy(userId)).toBe(0n)
  })

  it('case 69: no coupon makes an order cost less than nothing, whatever its amount, months and uses', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('percentage', 'forint'),
        fc.integer({ min: 1, max: 100 }),
        fc.constantFrom(1, 1000),
        fc.integer({ min: 1, max: 6 }),
        async (type, amount, scale, months) => {
          const typed = await coupon({ type, amount: type === 'forint' ? amount * scale : amount })
          const userId = await userWith(database.db, 6n * PRICE)
          const quoted = await quote(userId, requestOf(typed, { months }))
          if (!quoted.ok) throw new Error(quoted.code)
          const { totalFt, netFt, vatFt, discountFt } = quoted.quote
          expect(Math.min(totalFt, netFt, vatFt)).toBeGreaterThanOrEqual(0)
          expect([netFt + vatFt, totalFt + discountFt]).toEqual([totalFt, months * Number(PRICE)])
          expect(await order(userId, requestOf(typed, { months, expectedTotalFt: totalFt }))).toMatchObject({
            ok: true,
          })
          expect(await heldBy(userId)).toBe(BigInt(totalFt))
        },
      ),
      { numRuns: 30 },
    )
  })
})

describe('case 82: repeatedly ordering for the price of the first month', () => {
  it('case 82: a single-use coupon is consumed by the first server, and is freed only if nothing was delivered', async () => {
    const typed = await coupon({ usage: 'once' })
    const userId = await userWith(database.db, 50_000n)
    const paid: bigint[] = []
    for (let round = 0; round < 12; round += 1) {
      const withCoupon = await order(userId, requestOf(typed))
      const placed = withCoupon.ok ? withCoupon : await order(userId, requestOf())
      if (!placed.ok) throw new Error(placed.code)
      const { serverId } = placed.answer
      const outcome = round % 3 === 0 ? ('failed' as const) : ('installed' as const)
      const before = (await balanceOf(database.db, userId)).money
      await settleOrder(context(), { serverId, outcome, reason: 'r' })
      const cost = before - (await balanceOf(database.db, userId)).money
      expect(cost === 0n).toBe(outcome === 'failed')
      if (outcome === 'installed') paid.push(cost)
      // A customer who deletes a delivered server gets neither the coupon nor another first month.
      await requestDeletion(database.db, serverId)
    }
    expect(paid).toEqual([PRICE / 2n, ...Array.from({ length: 7 }, () => PRICE)])
    expect(await countedUses(typed)).toBe(1)
  })

  it('case 82: a concurrent cancellation and order do not use it twice', async () => {
    const typed = await coupon({ usage: 'once', maximum_usage: 1 })
    const userId = await userWith(database.db, 50_000n)
    for (let round = 0; round < 8; round += 1) {
      const placed = await order(userId, requestOf(typed))
      if (!placed.ok) throw new Error(placed.code)
      const failed = { serverId: placed.answer.serverId, outcome: 'failed', reason: 'r' } as const
      const results = await Promise.all([
        settleOrder(context(), failed),
        ...Array.from({ length: 5 }, () => order(userId, requestOf(typed))),
      ])
      const won = results.flatMap((result) => (result?.ok ? [result.answer.serverId] : []))
      expect(won.length).toBeLessThanOrEqual(1)
      expect(await countedUses(typed)).toBe(won.length)
      for (const serverId of won) await settleOrder(context(), { ...failed, serverId })
    }
  })
})
