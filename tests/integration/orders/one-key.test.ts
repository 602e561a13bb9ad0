import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startTopUp } from '../../../control-plane/money/payments/start-top-up.ts'
import { modifyServer } from '../../../control-plane/money/modification/modify-server.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { systemIds } from '#platform/ids.ts'
import { purchasePremium } from '../../../control-plane/money/premium/buy-premium.ts'
import { renewServer } from '../../../control-plane/money/renewals/renew-server.ts'
import { purchaseSpins } from '../../../control-plane/money/wheel/more-spins.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { prize, setWheel } from '../../factories/prizes.ts'
import { callerOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { sellSizes } from '../../factories/size-changes.ts'
import { paymentContext, RETURN_URL } from '../../factories/till.ts'

const START_MS = Date.UTC(2026, 5, 1)
const SIZES = [1, 2, 3].map((times) => ({ cpuPercent: 100 * times, ramMiB: 1024 * times, storageMiB: 1024 }))

let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase(40)
  shop = await openShop(database.owner, { portCount: 30_000, memoryMiB: 1_000_000_000 })
  await sellSizes(database.owner)
  await setWheel(database.owner, [prize('nothing')])
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

const context = () => orderContext(database.db, { now: () => START_MS })
type Customer = { readonly userId: string; readonly serverId: string }

async function customer(): Promise<Customer> {
  const userId = await userWith(database.db, 50_000n)
  const placed = await placeOrder(context(), {
    caller: callerOf(userId),
    requestId: 'r',
    idempotencyKey: 'the first order',
    request: { serviceId: shop.serviceId, resources: SIZES[0], months: 1, name: 'S' },
  })
  if (!placed.ok) throw new Error(placed.code)
  const { serverId } = placed.answer
  await settleOrder(context(), { serverId, outcome: 'installed', reason: '' })
  return { userId, serverId }
}

type Result = { readonly ok: boolean; readonly code?: string; readonly replayed?: boolean; readonly answer?: object }
type Wish = { readonly of: Customer; readonly key: string; readonly other?: boolean }
const meta = ({ of, key }: Wish) => ({ caller: callerOf(of.userId), requestId: 'r', idempotencyKey: key })

/** Everything that takes a key, with the table where its outcome stands. `other`: the same wish with another body. */
const KEYED: Record<string, { table: string; owner: string; call: (wish: Wish) => Promise<Result> }> = {
  order: {
    table: 'orders',
    owner: 'user_id',
    call: (wish) =>
      placeOrder(context(), {
        ...meta(wish),
        request: { serviceId: shop.serviceId, packageId: shop.packageId, months: wish.other ? 2 : 1, name: 'S' },
      }),
  },
  'top-up': {
    table: 'payments',
    owner: 'user_id',
    call: (wish) =>
      startTopUp(paymentContext(database.db), {
        ...meta(wish),
        request: { amount: wish.other ? 6000 : 5000, method: 'sandbox', acceptTerms: true },
        returnUrl: RETURN_URL,
      }),
  },
  renewal: {
    table: 'renewals',
    owner: 'user_id',
    call: (wish) =>
      renewServer(context(), { ...meta(wish), serverId: wish.of.serverId, request: { months: wish.other ? 2 : 1 } }),
  },
  modification: {
    table: 'modifications',
    owner: 'user_id',
    call: (wish) => {
      const resources = SIZES[wish.other ? 2 : 1] ?? { cpuPercent: 0, ramMiB: 0, storageMiB: 0 }
      return modifyServer(context(), { ...meta(wish), serverId: wish.of.serverId, request: { resources } })
    },
  },
  premium: {
    table: 'premium_purchases',
    owner: 'user_id',
    call: (wish) =>
      purchasePremium(context(), { ...meta(wish), request: { tier: wish.other ? 'maximus' : 'essentials' } }),
  },
  spins: {
    table: 'spin_purchases',
    owner: 'user_id',
    call: (wish) => purchaseSpins(context(), { ...meta(wish), request: { count: wish.other ? 2 : 1 } }),
  },
}

const rowsOf = async (name: string, { userId }: Customer) => {
  const { table, owner } = KEYED[name] ?? { table: '', owner: '' }
  return (await database.owner.query(`select 1 from control.${table} where ${owner} = $1`, [userId])).length
}
const movedOf = async ({ userId }: Customer) =>
  (
    await database.owner.query<{ moved: bigint }>(
      `select count(*) as moved from control.ledger_holds where owner_id = $1`,
      [userId],
    )
  )[0]?.moved

describe('case 58: one key', () => {
  it.each(Object.keys(KEYED))('case 58: 50 times at once of %s is one, and another body is refused', async (name) => {
    const { call } = KEYED[name] ?? { call: () => Promise.reject(new Error(name)) }
    const of = await customer()
    const [rowsBefore, movedBefore] = [await rowsOf(name, of), await movedOf(of)]
    const wish = { of, key: systemIds.next() }
    const results = await Promise.all(Array.from({ length: 50 }, () => call(wish)))
    const refused = results.flatMap((result) => (result.ok ? [] : [result.code]))
    expect(refused.filter((code) => code !== 'IN_PROGRESS')).toEqual([])
    const answers = results.flatMap((result) => (result.ok ? [result.answer] : []))
    const again = await call(wish)
    expect(again.ok).toBe(true)
    for (const answer of answers) expect(answer).toEqual(again.answer)
    expect(await call({ ...wish, other: true })).toEqual({ ok: false, code: 'IDEMPOTENCY_MISMATCH' })
    expect((await rowsOf(name, of)) - rowsBefore).toBe(1)
    expect(Number(await movedOf(of)) - Number(movedBefore)).toBe(name === 'top-up' ? 0 : 1)
  })

  it('case 58: the same key of two calls is two keys', async () => {
    const of = await customer()
    for (const [name, { call }] of Object.entries(KEYED)) {
      const before = await rowsOf(name, of)
      const result = await call({ of, key: 'one for all' })
      expect([name, result]).toEqual([name, expect.objectContaining({ ok: true })])
      expect([name, (await rowsOf(name, of)) - before]).toEqual([name, 1])
    }
  })

  it('case 58: the same key of two customers is two keys', async () => {
    const [anna, ben] = [await customer(), await customer()]
    const { call } = KEYED['order'] ?? { call: () => Promise.reject(new Error()) }
    const results = [await call({ of: anna, key: 'same' }), await call({ of: ben, key: 'same', other: true })]
    expect(results).toMatchObject([
      { ok: true, replayed: false },
      { ok: true, replayed: false },
    ])
  })

  it('case 59: two pages with separate keys make two orders', async () => {
    const of = await customer()
    const { call } = KEYED['order'] ?? { call: () => Promise.reject(new Error()) }
    const before = await rowsOf('order', of)
    const results = await Promise.all(['one page', 'another page'].map((key) => call({ of, key })))
    expect(results.map(({ ok }) => ok)).toEqual([true, true])
    expect((await rowsOf('order', of)) - before).toBe(2)
  })
})
