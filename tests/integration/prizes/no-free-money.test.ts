import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { quoteOrder } from '../../../control-plane/money/orders/quote-order.ts'
import { expireHolds, settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { systemIds } from '#platform/ids.ts'
import { purchasePremium } from '../../../control-plane/money/premium/buy-premium.ts'
import { runPremiumCycle } from '../../../control-plane/money/premium/premium-cycle.ts'
import { purchaseSpins, redeemCoupon } from '../../../control-plane/money/wheel/more-spins.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { prize, setWheel, spinOnce } from '../../factories/prizes.ts'
import { balanceOf, callerOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'

const START = Date.UTC(2026, 5, 1)
const DAY = 24 * 60 * 60 * 1000
const PAID_IN = 5000n
let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner, { portCount: 30_000, memoryMiB: 1_000_000_000 })
  // The node stays connected, whatever the clock of a test says.
  await database.owner.query(`update control.agent_sessions set renewed_at = '2100-01-01'`)
  await setWheel(database.owner, [
    prize('money', 100, 3),
    prize('coupon', 50, 2),
    prize('reroll', 0, 1),
    prize('nothing'),
  ])
  await database.owner.query(
    `insert into cms_api.coupons (id, name, code, type, amount, usage) values
       ($1, 'a', 'HALF', 'percentage', 50, 'once'), ($2, 'b', 'BIG', 'forint', 90000, 'multiple')`,
    [systemIds.next(), systemIds.next()],
  )
  await database.owner.query(
    `insert into cms_api.spin_coupons (id, code, number_of_uses, spins) values ($1, 'SPINS', 1000, 3)`,
    [systemIds.next()],
  )
})
afterAll(() => database.close())

const action = fc.oneof(
  fc.record({
    act: fc.constant('order' as const),
    coupon: fc.constantFrom(undefined, 'HALF', 'BIG', 'NONE'),
    months: fc.nat(7),
  }),
  fc.record({ act: fc.constant('settle' as const), outcome: fc.constantFrom('installed' as const, 'failed' as const) }),
  fc.record({ act: fc.constantFrom('spin' as const, 'redeem' as const, 'quote' as const, 'expire' as const) }),
  fc.record({ act: fc.constant('buy' as const), count: fc.constantFrom(-5, 0, 1, 2, 1e9, 0.5) }),
  fc.record({ act: fc.constant('premium' as const), tier: fc.constantFrom('essentials' as const, 'ultimus' as const) }),
  fc.record({ act: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 31 }) }),
)
type Action = typeof action extends fc.Arbitrary<infer Each> ? Each : never

const meta = () => ({ requestId: 'r', idempotencyKey: systemIds.next() })

/** Does what a customer can do, in its order. Refusals are as good as anything else. */
async function live(userId: string, actions: readonly Action[]): Promise<void> {
  const caller = callerOf(userId)
  let nowMs = START
  const context = orderContext(database.db, { now: () => nowMs })
  const what = { serviceId: shop.serviceId, packageId: shop.packageId }
  for (const each of actions) {
    if (each.act === 'wait') nowMs += each.days * DAY
    if (each.act === 'order') {
      const request = {
        ...what,
        months: each.months,
        name: 'Mine',
        ...(each.coupon ? { couponCode: each.coupon } : {}),
      }
      await placeOrder(context, { caller, ...meta(), request })
    }
    if (each.act === 'quote') await quoteOrder(context, { userId, request: { ...what, months: 1, couponCode: 'BIG' } })
    if (each.act === 'spin') await spinOnce(context, userId)
    if (each.act === 'redeem') await redeemCoupon(context, { caller, code: 'SPINS' })
    if (each.act === 'buy') await purchaseSpins(context, { caller, ...meta(), request: { count: each.count } })
    if (each.act === 'premium') await purchasePremium(context, { caller, ...meta(), request: { tier: each.tier } })
    if (each.act === 'expire') await Promise.all([expireHolds(context), runPremiumCycle(context)])
    if (each.act === 'settle') {
      const [order] = await database.owner.query<{ server_id: string }>(
        'select server_id from control.orders where user_id = $1 order by created_at desc limit 1',
        [userId],
      )
      const reason = each.outcome === 'failed' ? 'gone' : ''
      if (order) await settleOrder(context, { serverId: order.server_id, outcome: each.outcome, reason })
    }
    await nothingFromNowhere(userId)
  }
}

/** Everything somebody may spend was paid in or drawn, and each draw's money stands in the ledger once. */
async function nothingFromNowhere(userId: string): Promise<void> {
  const [row] = await database.owner.query<{ won: bigint; posted: bigint }>(
    `select (select coalesce(sum(amount), 0)::bigint from control.spins where user_id = $1 and type = 'money') as won,
       (select coalesce(sum(e.amount_minor), 0)::bigint from control.ledger_entries e
        join control.ledger_accounts a on a.id = e.account_id join control.ledger_transactions t on t.id = e.tx_id
        where a.owner_id = $1 and t.kind = 'prize') as posted`,
    [userId],
  )
  const { available, held } = await balanceOf(database.db, userId)
  expect(row?.posted).toBe(row?.won)
  expect(available >= 0n && available + held <= PAID_IN + (row?.won ?? 0n)).toBe(true)
}

describe('what customers do', () => {
  it('case 82, T22: no sequence of actions makes money that nobody paid in or drew', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 25 }), async (actions) => {
        await live(await userWith(database.db, PAID_IN), actions)
      }),
      { numRuns: 30 },
    )
    expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
  })
})
