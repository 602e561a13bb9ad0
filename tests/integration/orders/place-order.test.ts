import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { expireHolds, settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { HOLD_MS } from '../../../control-plane/money/orders/order-context.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { quoteOrder } from '../../../control-plane/money/orders/quote-order.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { balanceOf, callerOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'

const [OTHER_SERVICE, OTHER_PACKAGE] = [systemIds.next(), systemIds.next()]

let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase(40)
  shop = await openShop(database.owner, { portCount: 1000, memoryMiB: 1_000_000 })
  await database.owner.query(
    `insert into cms_api.packages select $1, $2, name, description, 1, cpu_percent, memory_mib, storage_mib, true, false
     from cms_api.packages where id = $3`,
    [OTHER_PACKAGE, OTHER_SERVICE, shop.packageId],
  )
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

const command = (userId: string, changes: { key?: string; request?: object } = {}) => ({
  caller: callerOf(userId),
  requestId: 'request-1',
  idempotencyKey: changes.key ?? systemIds.next(),
  request: { serviceId: shop.serviceId, packageId: shop.packageId, months: 1, name: 'My server', ...changes.request },
})

const ordersOf = (userId: string) =>
  database.owner.query<{ id: string; state: string; server_id: string }>(
    'select id, state, server_id from control.orders where user_id = $1',
    [userId],
  )

async function placed(userId: string) {
  const result = await placeOrder(orderContext(database.db), command(userId))
  if (!result.ok) throw new Error(result.code)
  return result.answer
}

describe('placing an order', () => {
  it('placing an order holds the price and writes server, ports, statement and outbox together', async () => {
    const user = await userWith(database.db, 5000n)
    const { orderId, serverId } = await placed(user)
    expect(await balanceOf(database.db, user)).toEqual({ money: 5000n, held: 990n, available: 4010n })
    const [server] = await database.owner.query(
      `select s.desired, s.identifier, s.spec -> 'allocations' as allocations, s.spec ->> 'generation' as generation, t.state,
         (select count(*) from control.allocations a where a.server_id = s.id) as ports
       from control.servers s join control.server_state t on t.server_id = s.id where s.id = $1`,
      [serverId],
    )
    expect(server).toMatchObject({ desired: 'installed', generation: '1', state: 'creating', ports: 1n })
    expect(server).toMatchObject({ allocations: [{ ip: '127.0.0.1', primary: true }] })
    const outbox = await database.owner.query<{ topic: string; payload: object }>(
      `select topic, payload from control.outbox where payload ->> 'orderId' = $1 or payload -> 'userIds' ->> 0 = $2`,
      [orderId, user],
    )
    expect(outbox.map((row) => row.topic).toSorted()).toEqual(['browser-event', 'provision-server'])
    const lines = await database.owner.query(
      'select amount_ft, status from control.wallet_transactions where document_id = $1',
      [orderId],
    )
    expect(lines).toEqual([{ amount_ft: -990n, status: 'processing' }])
  })

  it('an order by a customer with an unverified address is refused, and writes nothing', async () => {
    const user = await userWith(database.db, 5000n)
    const wish = command(user)
    const order = placeOrder(orderContext(database.db), { ...wish, caller: { ...wish.caller, isVerified: false } })
    expect(await order).toEqual({ ok: false, code: 'EMAIL_NOT_VERIFIED' })
    expect([await ordersOf(user), (await balanceOf(database.db, user)).held]).toEqual([[], 0n])
  })

  it('an order without enough balance reports the missing amount and writes nothing', async () => {
    const user = await userWith(database.db, 500n)
    expect(await placeOrder(orderContext(database.db), command(user))).toEqual({
      ok: false,
      code: 'INSUFFICIENT_BALANCE',
      params: { price: '490' },
    })
    expect(await ordersOf(user)).toEqual([])
    expect(await balanceOf(database.db, user)).toEqual({ money: 500n, held: 0n, available: 500n })
  })

  it.each([
    ['an unknown service', { serviceId: systemIds.next() }, 'NOT_FOUND'],
    ['an unknown package', { packageId: systemIds.next() }, 'NOT_FOUND'],
    ['a package of another service', { packageId: OTHER_PACKAGE }, 'NOT_FOUND'],
    ['resources beside a package', { resources: { cpuPercent: 1, ramMiB: 1, storageMiB: 1 } }, 'INVALID_RESOURCES'],
    ['another price than shown', { expectedTotalFt: 1 }, 'PRICE_CHANGED'],
    ['an unknown coupon', { couponCode: 'FREE' }, 'COUPON_NOT_FOUND'],
    ['too many months', { months: 7 }, 'MONTHS_INVALID'],
  ])('an order is refused for %s', async (_name, request, code) => {
    const user = await userWith(database.db, 50_000n)
    const wish = command(user, { request })
    expect(await placeOrder(orderContext(database.db), wish)).toMatchObject({ ok: false, code })
    if (code !== 'PRICE_CHANGED') {
      const quoted = await quoteOrder(orderContext(database.db), { userId: user, request: wish.request })
      expect(quoted).toMatchObject({ ok: false, code })
    }
    expect([await ordersOf(user), await balanceOf(database.db, user)]).toMatchObject([[], { held: 0n }])
  })

  it('an order is refused while the switch "ordering" is off', async () => {
    const user = await userWith(database.db, 5000n)
    await database.owner.query('update cms_api.settings set ordering = false')
    try {
      const result = await placeOrder(orderContext(database.db), command(user))
      expect(result).toEqual({ ok: false, code: 'ORDERING_DISABLED' })
    } finally {
      await database.owner.query('update cms_api.settings set ordering = true')
    }
  })

  it('a quote includes the missing amount and writes nothing', async () => {
    const user = await userWith(database.db, 500n)
    const { request } = command(user)
    expect(await quoteOrder(orderContext(database.db), { userId: user, request })).toMatchObject({
      ok: true,
      quote: {
        totalFt: 990,
        netFt: 780,
        vatFt: 210,
        balanceFt: 500,
        missingFt: 490,
        balanceAfterFt: 0,
        renewalFt: 990,
      },
    })
  })
})

describe('T23: repeating an order', () => {
  it('30 equal requests with one key make one order', async () => {
    const user = await userWith(database.db, 50_000n)
    const same = command(user, { key: 'double-click' })
    const results = await Promise.all(Array.from({ length: 30 }, () => placeOrder(orderContext(database.db), same)))
    const answers = results.filter((result) => result.ok)
    expect(answers.length).toBeGreaterThan(0)
    expect(results.filter((result) => !result.ok).every((result) => !result.ok && result.code === 'IN_PROGRESS')).toBe(
      true,
    )
    const [order, ...others] = await ordersOf(user)
    expect(others).toEqual([])
    const answer = { orderId: order?.id, serverId: order?.server_id }
    expect(answers.map((result) => result.ok && result.answer)).toEqual(answers.map(() => answer))
    expect(await placeOrder(orderContext(database.db), same)).toEqual({ ok: true, replayed: true, answer })
    expect(await balanceOf(database.db, user)).toMatchObject({ held: 990n })
  })

  it('the same key with another body is refused with 409', async () => {
    const user = await userWith(database.db, 50_000n)
    await placeOrder(orderContext(database.db), command(user, { key: 'k' }))
    const other = await placeOrder(orderContext(database.db), command(user, { key: 'k', request: { months: 2 } }))
    expect(other).toEqual({ ok: false, code: 'IDEMPOTENCY_MISMATCH' })
    expect(await ordersOf(user)).toHaveLength(1)
  })

  it('a key whose request was refused can be used later', async () => {
    const user = await userWith(database.db, 500n)
    const same = command(user, { key: 'later' })
    expect(await placeOrder(orderContext(database.db), same)).toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
    const { ledgerOn } = orderContext(database.db)
    const { corrected } = await import('../../../control-plane/money/ledger/postings.ts')
    const { forints } = await import('#domain/billing/money.ts')
    await ledgerOn(database.db).post(
      corrected(
        { id: systemIds.next(), atMs: 0, actor: 'system', requestId: '' },
        { id: systemIds.next(), userId: user, amount: forints(490n), reason: 'Gift' },
      ),
    )
    const result = await placeOrder(orderContext(database.db), same)
    expect(result).toMatchObject({ ok: true, replayed: false })
    const { orderId, serverId } = result.ok ? result.answer : { orderId: '', serverId: '' }
    expect(await ordersOf(user)).toEqual([{ id: orderId, state: 'provisioning', server_id: serverId }])
    expect(await balanceOf(database.db, user)).toEqual({ money: 990n, held: 990n, available: 0n })
    expect(await placeOrder(orderContext(database.db), same)).toEqual({
      ok: true,
      replayed: true,
      answer: { orderId, serverId },
    })
    expect(await ordersOf(user)).toHaveLength(1)
  })

  it('I6: of 20 parallel orders with money for three exactly three succeed', async () => {
    const user = await userWith(database.db, 990n * 3n + 1n)
    const results = await Promise.all(
      Array.from({ length: 20 }, () => placeOrder(orderContext(database.db), command(user))),
    )
    expect(results.filter((result) => result.ok)).toHaveLength(3)
    expect(await ordersOf(user)).toHaveLength(3)
    expect(await balanceOf(database.db, user)).toEqual({ money: 2971n, held: 2970n, available: 1n })
  })
})

describe('ending an order', () => {
  it('an installed order is charged once, however often the end is reported', async () => {
    const user = await userWith(database.db, 5000n)
    const { serverId } = await placed(user)
    const installed = { serverId, outcome: 'installed', reason: '' } as const
    await Promise.all(Array.from({ length: 8 }, () => settleOrder(orderContext(database.db), installed)))
    await settleOrder(orderContext(database.db), { serverId, outcome: 'failed', reason: 'late' })
    expect(await ordersOf(user)).toMatchObject([{ state: 'completed' }])
    expect(await balanceOf(database.db, user)).toEqual({ money: 4010n, held: 0n, available: 4010n })
    const notices = await database.owner.query<{ text: string }>(
      'select text from control.notifications where user_id = $1',
      [user],
    )
    expect(notices.map((notice) => notice.text).toSorted()).toEqual(['purchase.success', 'server.installed'])
    const [tx] = await database.owner.query(
      `select reason, ref_type from control.ledger_transactions where ref_id =
      (select id::text from control.orders where server_id = $1)`,
      [serverId],
    )
    expect(tx).toEqual({ reason: 'Order of Minecraft', ref_type: 'order' })
  })

  it('case 78, T50: a failed installation refunds the whole balance, with a notification', async () => {
    const user = await userWith(database.db, 5000n)
    const { serverId } = await placed(user)
    const failed = { serverId, outcome: 'failed', reason: 'install-exit-1' } as const
    await Promise.all(Array.from({ length: 8 }, () => settleOrder(orderContext(database.db), failed)))
    expect(await balanceOf(database.db, user)).toEqual({ money: 5000n, held: 0n, available: 5000n })
    const [server] = await database.owner.query(
      `select desired, generation, spec ->> 'generation' as in_spec from control.servers where id = $1`,
      [serverId],
    )
    expect(server).toEqual({ desired: 'deleted', generation: 2, in_spec: '2' })
    const notices = await database.owner.query('select text from control.notifications where user_id = $1', [user])
    expect(notices).toEqual([{ text: 'order.failed' }])
  })

  it('I7: concurrent completion and failure have one of the two outcomes', async () => {
    for (let round = 0; round < 10; round += 1) {
      const user = await userWith(database.db, 990n)
      const { serverId } = await placed(user)
      const late = orderContext(database.db, { now: () => Date.UTC(2026, 5, 1) + HOLD_MS })
      await Promise.all([
        settleOrder(orderContext(database.db), { serverId, outcome: 'installed', reason: '' }),
        settleOrder(orderContext(database.db), { serverId, outcome: 'failed', reason: 'race' }),
        expireHolds(late),
      ])
      const [order] = await ordersOf(user)
      const { money, held } = await balanceOf(database.db, user)
      expect([order?.state, money, held]).toEqual(
        order?.state === 'completed' ? ['completed', 0n, 0n] : ['failed', 990n, 0n],
      )
    }
  })

  it('case 78: an order whose price was held too long fails', async () => {
    const user = await userWith(database.db, 990n)
    await placed(user)
    const at = Date.UTC(2026, 5, 1)
    await expireHolds(orderContext(database.db, { now: () => at + HOLD_MS - 1 }))
    expect(await ordersOf(user)).toMatchObject([{ state: 'provisioning' }])
    await expireHolds(orderContext(database.db, { now: () => at + HOLD_MS }))
    expect(await ordersOf(user)).toMatchObject([{ state: 'failed' }])
    expect(await balanceOf(database.db, user)).toEqual({ money: 990n, held: 0n, available: 990n })
  })
})
