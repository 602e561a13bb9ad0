import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { modifyServer } from '../../../control-plane/money/modification/modify-server.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { systemIds } from '#platform/ids.ts'
import { purchasePremium } from '../../../control-plane/money/premium/buy-premium.ts'
import { renewServer } from '../../../control-plane/money/renewals/renew-server.ts'
import { purchaseSpins } from '../../../control-plane/money/wheel/more-spins.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { renewCommand } from '../../factories/paid-server.ts'
import { prize, setWheel } from '../../factories/prizes.ts'
import { balanceOf, callerOf, credit, openShop, orderContext, shopDatabase, type Shop } from '../../factories/shop.ts'
import { LARGE, SMALL, sellSizes } from '../../factories/size-changes.ts'

const START_MS = Date.UTC(2026, 5, 1)

let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase(40)
  shop = await openShop(database.owner, { portCount: 30_000, memoryMiB: 1_000_000_000 })
  await sellSizes(database.owner)
  await setWheel(database.owner, [prize('nothing')])
})
afterAll(() => database.close())

const context = () => orderContext(database.db, { now: () => START_MS })
const meta = (userId: string) => ({
  caller: callerOf(userId),
  requestId: 'request-1',
  idempotencyKey: systemIds.next(),
})

/** A customer with a server of 1500 Ft a month that is paid for, and nothing left. */
async function customer() {
  const userId = systemIds.next()
  await credit(database.db, { userId, amountFt: 1500n })
  const placed = await placeOrder(context(), {
    ...meta(userId),
    request: { serviceId: shop.serviceId, resources: SMALL, months: 1, name: 'S' },
  })
  if (!placed.ok) throw new Error(placed.code)
  const { serverId } = placed.answer
  await settleOrder(context(), { serverId, outcome: 'installed', reason: '' })
  return { userId, serverId }
}
type Customer = Awaited<ReturnType<typeof customer>>

/** The purchases on which a customer can spend money. */
const SPENDING = {
  order: ({ userId }: Customer) =>
    placeOrder(context(), {
      ...meta(userId),
      request: { serviceId: shop.serviceId, packageId: shop.packageId, months: 1, name: 'S' },
    }),
  renewal: (of: Customer) => renewServer(context(), renewCommand(of)),
  premium: ({ userId }: Customer) => purchasePremium(context(), { ...meta(userId), request: { tier: 'essentials' } }),
  modification: ({ userId, serverId }: Customer) =>
    modifyServer(context(), { ...meta(userId), serverId, request: { resources: LARGE } }),
  spins: ({ userId }: Customer) => purchaseSpins(context(), { ...meta(userId), request: { count: 1 } }),
}
type Way = keyof typeof SPENDING
const WAYS = Object.keys(SPENDING) as Way[]

async function facts({ userId }: Customer) {
  const { available, held, money } = await balanceOf(database.db, userId)
  const [row] = await database.owner.query<{ entries: bigint; lines: bigint }>(
    `select (select coalesce(sum(e.amount_minor), 0)::bigint from control.ledger_entries e
        join control.ledger_accounts a on a.id = e.account_id where a.owner_id = $1 and a.kind = 'user_wallet') as entries,
       (select coalesce(sum(w.amount_ft), 0)::bigint from control.wallet_transactions w
        where w.user_id = $1 and w.status <> 'failed') as lines`,
    [userId],
  )
  return { available, held, money, ...row }
}

const REFUSALS = new Set<string>([
  'INSUFFICIENT_BALANCE',
  'ALREADY_HAS_PREMIUM',
  'NOTHING_CHANGED',
  'NO_CAPACITY',
  'NO_FREE_PORT',
])

describe('case 57: every kind of spending at once on one balance', () => {
  it.each([0n, 990n, 1500n, 2490n, 2980n, 3500n, 100_000n])(
    'case 57: with %s Ft nothing is spent twice and no debt arises',
    async (amountFt) => {
      const of = await customer()
      if (amountFt > 0n) await credit(database.db, { userId: of.userId, amountFt })
      const results = await Promise.all([...WAYS, ...WAYS].map((way) => SPENDING[way](of)))
      const { available, held, money, entries, lines } = await facts(of)
      expect(available).toBeGreaterThanOrEqual(0n)
      expect(available).toBe(money - held)
      expect(entries).toBe(money)
      // Top-ups of this test have no line of their own: 1500 Ft of the server and what came in.
      expect((lines ?? 0n) + 1500n + amountFt).toBe(available)
      if (amountFt === 0n) expect(results.filter(({ ok }) => ok)).toEqual([])
      const refused = results.flatMap((result) => (result.ok ? [] : [result.code]))
      expect(refused.filter((code) => !REFUSALS.has(code))).toEqual([])
      expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
    },
  )

  it('case 57: nothing is spent twice in any mixture and with any balance', { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...WAYS), { minLength: 2, maxLength: 12 }),
        fc.bigInt({ min: 0n, max: 6000n }),
        async (ways, amountFt) => {
          const of = await customer()
          if (amountFt > 0n) await credit(database.db, { userId: of.userId, amountFt })
          await Promise.all(ways.map((way) => SPENDING[way](of)))
          const { available, held, money, lines } = await facts(of)
          expect(available >= 0n && available === money - held).toBe(true)
          expect((lines ?? 0n) + 1500n + amountFt).toBe(available)
        },
      ),
      { numRuns: 15 },
    )
    expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
  })
})
