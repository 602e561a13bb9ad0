import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BILLING_MONTH_MS } from '#domain/billing/period.ts'
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
import { LARGE, SMALL, sellSizes } from '../../factories/size-changes.ts'

const START_MS = Date.UTC(2026, 5, 1)

let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner, { portCount: 1000, memoryMiB: 1_000_000 })
  await sellSizes(database.owner)
  await setWheel(database.owner, [prize('nothing')])
  await database.owner.query('update cms_api.prize_wheel set buying = true')
})
afterAll(() => database.close())

const context = () => orderContext(database.db, { now: () => START_MS })
const keyed = (userId: string) => ({ caller: callerOf(userId), idempotencyKey: systemIds.next(), requestId: 'r' })

async function serverOf(userId: string): Promise<string> {
  const request = { serviceId: shop.serviceId, resources: SMALL, months: 1, name: 'S' }
  const placed = await placeOrder(context(), { ...keyed(userId), request })
  if (!placed.ok) throw new Error(placed.code)
  const { serverId } = placed.answer
  await settleOrder(context(), { serverId, outcome: 'installed', reason: '' })
  return serverId
}

const invoicesOf = (userId: string) =>
  database.owner.query<{ kind: string; paid: number }>(
    'select document_kind as kind, gross_ft::int as paid from control.invoices where user_id = $1 order by issued_at, id',
    [userId],
  )

describe('invoices of sales paid from the balance', () => {
  it('a renewal gets one invoice, however often it is requested', async () => {
    const userId = await userWith(database.db, 10_000n)
    const serverId = await serverOf(userId)
    const command = { ...keyed(userId), serverId, request: { months: 2 } }
    expect(await renewServer(context(), command)).toMatchObject({ ok: true })
    expect(await renewServer(context(), command)).toMatchObject({ ok: true, replayed: true })
    expect(await invoicesOf(userId)).toEqual([
      { kind: 'order', paid: 1500 },
      { kind: 'renewal', paid: 3000 },
    ])
  })

  it('an upgrade gets an invoice, and a downgrade a correction', async () => {
    const userId = await userWith(database.db, 10_000n)
    const serverId = await serverOf(userId)
    const larger = await modifyServer(context(), { ...keyed(userId), serverId, request: { resources: LARGE } })
    expect(larger).toMatchObject({ ok: true, answer: { chargeFt: 1500 } })
    const later = orderContext(database.db, { now: () => START_MS + BILLING_MONTH_MS / 2 })
    const smaller = await modifyServer(later, { ...keyed(userId), serverId, request: { resources: SMALL } })
    expect(smaller).toMatchObject({ ok: true, answer: { chargeFt: 0 } })
    expect(await invoicesOf(userId)).toEqual([
      { kind: 'order', paid: 1500 },
      { kind: 'modification', paid: 1500 },
      { kind: 'modification', paid: -750 },
    ])
  })

  it('a premium tier and spins each get an invoice', async () => {
    const userId = await userWith(database.db, 10_000n)
    expect(await purchasePremium(context(), { ...keyed(userId), request: { tier: 'essentials' } })).toMatchObject({
      ok: true,
    })
    expect(await purchaseSpins(context(), { ...keyed(userId), request: { count: 3 } })).toMatchObject({ ok: true })
    expect(await invoicesOf(userId)).toEqual([
      { kind: 'premium', paid: 990 },
      { kind: 'spin', paid: 600 },
    ])
  })
})
