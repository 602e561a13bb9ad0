import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { settleOrder, expireHolds } from '../../../control-plane/money/orders/settle-order.ts'
import { HOLD_MS } from '../../../control-plane/money/orders/order-context.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { quoteOrder } from '../../../control-plane/money/orders/quote-order.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { balanceOf, callerOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'

const NOW = Date.UTC(2026, 5, 1)
let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase(40)
  shop = await openShop(database.owner, { portCount: 10_000, memoryMiB: 100_000_000 })
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
  await database.owner.query('update cms_api.settings set coupon_use = true')
})
afterAll(() => database.close())

let codes = 0
type CouponColumns = Partial<{
  type: string
  amount: number
  valid_from: Date
  valid_to: Date
  expires_at: Date
  maximum_price_ft: number
  maximum_usage: number
  usage: string
  service_ids: string[]
  active: boolean
}>

/** A coupon of staff; answers its code. */
async function coupon(columns: CouponColumns = {}): Promise<string> {
  const code = `CODE${(codes += 1)}`
  const row = { type: 'percentage', amount: 10, usage: 'multiple', ...columns, id: systemIds.next(), name: code, code }
  const names = Object.keys(row)
  await database.owner.query(
    `insert into cms_api.coupons (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
    Object.values(row),
  )
  return code
}

const requestOf = (couponCode: string, changes: object = {}) => ({
  serviceId: shop.serviceId,
  packageId: shop.packageId,
  months: 1,
  name: 'My server',
  couponCode,
  ...changes,
})
const order = (userId: string, request: ReturnType<typeof requestOf>, key: string = systemIds.next()) =>
  placeOrder(orderContext(database.db), {
    caller: callerOf(userId),
    requestId: 'request-1',
    idempotencyKey: key,
    request,
  })
const quote = (userId: string, request: ReturnType<typeof requestOf>) =>
  quoteOrder(orderContext(database.db), { userId, request })

const usesOf = (code: string) =>
  database.owner.query<{ state: string; order_id: string; user_id: string; amount_ft: bigint }>(
    'select state, order_id, user_id, amount_ft from control.coupon_reservations where code = $1 order by order_id',
    [code],
  )
/** How many ended how. */
const outcomes = (results: readonly { ok: boolean; code?: string }[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const result of results) {
    const name = result.ok ? 'ok' : (result.code ?? '')
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

async function inParallel(count: number, amountFt: bigint, work: (userId: string) => Promise<{ ok: boolean }>) {
  const users = await Promise.all(Array.from({ length: count }, () => userWith(database.db, amountFt)))
  return Promise.all(users.map(work))
}

describe('T24: concurrent uses of a code', () => {
  it('case 69, T24: 100 customers with a code for one use make one order with it', async () => {
    const code = await coupon({ maximum_usage: 1 })
    const results = await inParallel(100, 2000n, (userId) => order(userId, requestOf(code)))
    expect(outcomes(results)).toEqual({ ok: 1, COUPON_USED_UP: 99 })
    expect(await usesOf(code)).toMatchObject([{ state: 'reserved', amount_ft: 99n }])
  })

  it('T24: one customer with twenty concurrent orders uses a single-use code once', async () => {
    const code = await coupon({ usage: 'once' })
    const user = await userWith(database.db, 50_000n)
    const results = await Promise.all(Array.from({ length: 20 }, () => order(user, requestOf(code))))
    expect(outcomes(results)).toEqual({ ok: 1, COUPON_ALREADY_USED: 19 })
    expect(await balanceOf(database.db, user)).toMatchObject({ held: 891n })
  })

  it('T24: the table itself accepts one use per order, and one per customer for single-use codes', async () => {
    const [couponId, user] = [systemIds.next(), systemIds.next()]
    const insert = (orderId: string, once: boolean, userId = user) =>
      database.owner.query(
        `insert into control.coupon_reservations (coupon_id, order_id, user_id, code, once, amount_ft, created_at)
         values ($1, $2, $3, 'TABLE', $4, 1, now())`,
        [couponId, orderId, userId, once],
      )
    const first = systemIds.next()
    await insert(first, true)
    await expect(insert(first, false, systemIds.next())).rejects.toThrow(/coupon_reservations_pkey/)
    await expect(insert(systemIds.next(), true)).rejects.toThrow(/coupon_reservations_once/)
    await insert(systemIds.next(), false)
    await database.owner.query("delete from control.coupon_reservations where code = 'TABLE'")
  })
})

describe('T25: limits of coupons', () => {
  it('T25: the maximum usage holds under 100 parallel checkouts', async () => {
    const code = await coupon({ maximum_usage: 7, usage: 'once' })
    const results = await inParallel(100, 2000n, (userId) => order(userId, requestOf(code)))
    expect(results.filter(({ ok }) => ok)).toHaveLength(7)
    expect(await usesOf(code)).toHaveLength(7)
  })

  it('case 69, T25: a coupon above the price makes it 0 Ft, not less, and the server is delivered', async () => {
    const code = await coupon({ type: 'forint', amount: 5000 })
    const user = await userWith(database.db, 0n)
    expect(await quote(user, requestOf(code))).toMatchObject({
      ok: true,
      quote: { totalFt: 0, netFt: 0, vatFt: 0, missingFt: 0, discountFt: 990 },
    })
    const placed = await order(user, requestOf(code, { expectedTotalFt: 0 }))
    if (!placed.ok) throw new Error(placed.code)
    await settleOrder(orderContext(database.db), { serverId: placed.answer.serverId, outcome: 'installed', reason: '' })
    expect(await usesOf(code)).toMatchObject([{ state: 'used', amount_ft: 990n }])
    const [row] = await database.owner.query(
      `select o.state, o.total_ft, o.hold_id, w.amount_ft, w.status from control.orders o
       join control.wallet_transactions w on w.document_id = o.id::text where o.user_id = $1`,
      [user],
    )
    expect(row).toEqual({ state: 'completed', total_ft: 0n, hold_id: null, amount_ft: 0n, status: 'finished' })
    expect(await balanceOf(database.db, user)).toEqual({ money: 0n, held: 0n, available: 0n })
  })

  it('T25: an order of 0 Ft that is never installed fails in time and frees the coupon', async () => {
    const code = await coupon({ amount: 100, maximum_usage: 1 })
    const user = await userWith(database.db, 0n)
    expect(await order(user, requestOf(code))).toMatchObject({ ok: true })
    await expireHolds(orderContext(database.db, { now: () => NOW + HOLD_MS }))
    expect(await usesOf(code)).toMatchObject([{ state: 'released' }])
    expect(await order(user, requestOf(code))).toMatchObject({ ok: true })
  })

  it('T25: a coupon is freed when the order fails, and consumed when it is completed', async () => {
    const code = await coupon({ usage: 'once', maximum_usage: 1 })
    const user = await userWith(database.db, 5000n)
    const first = await order(user, requestOf(code))
    if (!first.ok) throw new Error(first.code)
    const { serverId } = first.answer
    await settleOrder(orderContext(database.db), { serverId, outcome: 'failed', reason: 'install-exit-1' })
    expect(await usesOf(code)).toMatchObject([{ state: 'released' }])
    const second = await order(user, requestOf(code))
    if (!second.ok) throw new Error(second.code)
    const done = { serverId: second.answer.serverId, outcome: 'installed', reason: '' } as const
    await settleOrder(orderContext(database.db), done)
    expect((await usesOf(code)).map(({ state }) => state).toSorted()).toEqual(['released', 'used'])
    expect(await order(user, requestOf(code))).toMatchObject({ ok: false, code: 'COUPON_ALREADY_USED' })
    expect(await balanceOf(database.db, user)).toEqual({ money: 5000n - 891n, held: 0n, available: 5000n - 891n })
  })

  it('T25: a refused order reserves no coupon', async () => {
    const code = await coupon({ maximum_usage: 1 })
    const poor = await userWith(database.db, 100n)
    expect(await order(poor, requestOf(code))).toMatchObject({ code: 'INSUFFICIENT_BALANCE', params: { price: '791' } })
    expect(await usesOf(code)).toEqual([])
    expect(await order(await userWith(database.db, 891n), requestOf(code))).toMatchObject({ ok: true })
  })

  it.each<[string, CouponColumns, string]>([
    ['over', { valid_to: new Date(NOW) }, 'COUPON_EXPIRED'],
    ['for another service', { service_ids: [systemIds.next()] }, 'COUPON_NOT_FOR_SERVICE'],
  ])('T25: quote and order both refuse a coupon that is %s', async (_name, columns, refusal) => {
    const code = await coupon(columns)
    const user = await userWith(database.db, 5000n)
    expect(await quote(user, requestOf(code))).toEqual({ ok: false, code: refusal })
    expect(await order(user, requestOf(code))).toEqual({ ok: false, code: refusal })
    expect(await balanceOf(database.db, user)).toMatchObject({ held: 0n })
  })

  it('T25: a coupon of the wheel is only for its winner, and reduces the first month', async () => {
    const [winner, other] = [await userWith(database.db, 5000n), await userWith(database.db, 5000n)]
    const spinId = systemIds.next()
    await database.owner.query(
      `insert into control.spins (id, user_id, source, type, amount, prize_id, prizes, ticket, server_seed, server_seed_hash,
         client_seed, nonce, created_at) values ($1, $2, 'weekly', 'coupon', 50, 'p', '[]', 0, $3, $3, 'c', 1, now())`,
      [spinId, winner, 'seed'],
    )
    await database.owner.query(
      `insert into control.prize_coupons (id, code, user_id, percent, spin_id, drawn_at) values ($1, 'WHEEL-50', $2, 50, $3, $4)`,
      [systemIds.next(), winner, spinId, new Date(NOW)],
    )
    const request = requestOf('wheel-50', { months: 3 })
    expect(await quote(other, request)).toEqual({ ok: false, code: 'COUPON_NOT_FOUND' })
    expect(await quote(winner, request)).toMatchObject({ ok: true, quote: { totalFt: 990 * 3 - 495 } })
    expect(await order(winner, request)).toMatchObject({ ok: true })
    expect(await quote(winner, request)).toEqual({ ok: false, code: 'COUPON_ALREADY_USED' })
  })
})

describe('T74: only the server decides the price', () => {
  it('case 70, T74: a quote names every part, the order charges their sum and stores the price of each month', async () => {
    const code = await coupon({ type: 'forint', amount: 100 })
    const user = await userWith(database.db, 50_000n)
    const request = requestOf(` ${code.toLowerCase()} `, { months: 3 })
    const quoted = await quote(user, request)
    if (!quoted.ok) throw new Error(quoted.code)
    expect(quoted.quote.parts).toEqual([
      { kind: 'resource', key: 'package', quantity: 1, monthlyFt: 990, amountFt: 2970 },
      { kind: 'coupon', code, amountFt: -100 },
    ])
    expect(quoted.quote.totalFt).toBe(2870)
    const placed = await order(user, request)
    if (!placed.ok) throw new Error(placed.code)
    const [row] = await database.owner.query<{ total_ft: bigint; paid_by_month: number[] }>(
      'select total_ft, paid_by_month from control.orders where id = $1',
      [placed.answer.orderId],
    )
    expect([row?.total_ft, row?.paid_by_month.reduce((a, b) => a + b)]).toEqual([2870n, 2870])
    expect(await balanceOf(database.db, user)).toMatchObject({ held: 2870n })
  })

  it('case 71, T74: prices, discounts and unknown options in the request change nothing or are refused', async () => {
    const user = await userWith(database.db, 50_000n)
    const forged = { monthlyFt: 1, totalFt: 1, discountFt: 900, premiumPercent: 100, parts: [], couponCode: undefined }
    expect(await quote(user, requestOf('', forged))).toMatchObject({ ok: true, quote: { totalFt: 990 } })
    const resources = { cpuPercent: 100, ramMiB: 1024, storageMiB: 1024 }
    expect(await order(user, requestOf('', { resources }))).toMatchObject({ code: 'INVALID_RESOURCES' })
    expect(await order(user, requestOf('', { expectedTotalFt: 1 }))).toMatchObject({ code: 'PRICE_CHANGED' })
    expect(await balanceOf(database.db, user)).toMatchObject({ held: 0n })
  })
})

describe('invalid codes', () => {
  it.each([
    ['a', 'COUPON_INVALID'],
    ["'; drop table coupons", 'COUPON_INVALID'],
    ['NOSUCHCODE', 'COUPON_NOT_FOUND'],
  ])('the code %s is refused', async (code, refusal) => {
    expect(await quote(await userWith(database.db, 5000n), requestOf(code))).toEqual({ ok: false, code: refusal })
  })

  it('every coupon is refused while the switch "coupon use" is off', async () => {
    const code = await coupon()
    const user = await userWith(database.db, 5000n)
    await database.owner.query('update cms_api.settings set coupon_use = false')
    expect(await quote(user, requestOf(code))).toEqual({ ok: false, code: 'COUPONS_DISABLED' })
    expect(await order(user, requestOf(code))).toEqual({ ok: false, code: 'COUPONS_DISABLED' })
    expect(await quote(user, requestOf(''))).toMatchObject({ ok: true })
  })
})
