import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { BILLING_MONTH_MS } from '#domain/billing/period.ts'
import { runLifetime } from '../../../control-plane/money/lifetime/run-lifetime.ts'
import { modifyServer } from '../../../control-plane/money/modification/modify-server.ts'
import { quoteModification } from '../../../control-plane/money/modification/quote-modification.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { systemIds } from '#platform/ids.ts'
import { quoteRenewal } from '../../../control-plane/money/renewals/quote-renewal.ts'
import { renewServer } from '../../../control-plane/money/renewals/renew-server.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { moves } from '../../factories/ledger-moves.ts'
import { lifetimeContext } from '../../factories/lifetime.ts'
import { renewCommand } from '../../factories/paid-server.ts'
import { callerOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { LARGE, SMALL, sellSizes } from '../../factories/size-changes.ts'

const START_MS = Date.UTC(2026, 5, 1)

let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner)
  await sellSizes(database.owner)
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

const at = (nowMs = START_MS) => orderContext(database.db, { now: () => nowMs })

/** A server of 1500 Ft a month, 300 Ft of bonus, and 700 Ft that a bank took back. */
async function debtor() {
  const userId = await userWith(database.db, 1500n)
  const placed = await placeOrder(at(), {
    caller: callerOf(userId),
    requestId: 'r',
    idempotencyKey: systemIds.next(),
    request: { serviceId: shop.serviceId, resources: SMALL, months: 1, name: 'Castle' },
  })
  if (!placed.ok) throw new Error(placed.code)
  const { serverId } = placed.answer
  await settleOrder(at(), { serverId, outcome: 'installed', reason: '' })
  const ledger = at().ledgerOn(database.db)
  await ledger.post(moves.grant(userId, 300n))
  await ledger.post(moves.owe(userId, 700n))
  return { userId, serverId }
}

describe('the amount that a customer in debt has to top up: the debt, and the shortfall', () => {
  it('a resize reports it in its price and its refusal', async () => {
    const { userId, serverId } = await debtor()
    const wish = { caller: callerOf(userId), serverId }
    expect(await quoteModification(at(), { ...wish, resources: LARGE })).toMatchObject({
      quote: { chargeFt: 1500, balanceFt: 300, balanceAfterFt: 0, missingFt: 1900 },
    })
    const refused = await modifyServer(at(), {
      ...wish,
      request: { resources: LARGE },
      idempotencyKey: systemIds.next(),
      requestId: 'm',
    })
    expect(refused).toMatchObject({ ok: false, code: 'INSUFFICIENT_BALANCE', missing: { minor: 1900n } })
  })

  it('a renewal reports it in its price and its refusal', async () => {
    const customer = await debtor()
    const { userId, serverId } = customer
    expect(await quoteRenewal(at(), { caller: callerOf(userId), serverId, months: 1 })).toMatchObject({
      quote: { balanceFt: 300, missingFt: 1900 },
    })
    const refused = await renewServer(at(), renewCommand(customer))
    expect(refused).toEqual({ ok: false, code: 'INSUFFICIENT_BALANCE', priceFt: 1900n })
  })

  it('an automatic renewal reports it in its notification', async () => {
    const { userId, serverId } = await debtor()
    await database.owner.query('update control.servers set auto_renew = true where id = $1', [serverId])
    await runLifetime(lifetimeContext(database.db, { now: () => START_MS + BILLING_MONTH_MS - 1000 }))
    const told = await database.owner.query(
      `select data ->> 'amount' as amount from control.notifications where user_id = $1 and text = 'renewal.missing'`,
      [userId],
    )
    expect(told).toEqual([{ amount: '1900' }])
  })
})
