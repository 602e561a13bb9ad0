import { afterAll, beforeAll, expect, it } from 'vitest'
import type { InternalCallName } from '#contracts/internal-api/calls.ts'
import { DAY_MS } from '#domain/billing/period.ts'
import { chargebackClaimed } from '../../../control-plane/money/ledger/payment-postings.ts'
import { forints } from '#domain/billing/money.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { callMoney } from '../../factories/money-api.ts'
import { paidServer } from '../../factories/paid-server.ts'
import { callerOf, openShop, orderContext, shopDatabase, userWith, type Shop } from '../../factories/shop.ts'
import { LARGE, SMALL, sellSizes } from '../../factories/size-changes.ts'
import { paymentContext, RETURN_URL } from '../../factories/till.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'

// Each refusal that names an amount: it is the one that the customer needs.
const NOW_MS = Date.UTC(2026, 5, 1)

let database: ControlDatabase
let shop: Shop
let sized: Shop
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner, { portCount: 500, memoryMiB: 10_000_000 })
  sized = await openShop(database.owner, { portCount: 500, memoryMiB: 10_000_000 })
  await sellSizes(database.owner)
})
afterAll(() => database.close())

const call = async (name: InternalCallName, input: object, nowMs = NOW_MS) => {
  const { json } = await callMoney(paymentContext(database.db, { now: () => nowMs }), name, { input })
  const { code, params } = json.error as { code: string; params?: object }
  return { code, params }
}
const paid = async (moneyFt: bigint) => {
  const userId = await userWith(database.db, moneyFt)
  return { userId, caller: callerOf(userId), ...(await paidServer(database.db, { shop, userId, nowMs: NOW_MS })) }
}
/** A server of 1,500 Ft a month, whose size may change. */
const paidBySize = async (moneyFt: bigint) => {
  const userId = await userWith(database.db, moneyFt)
  const context = orderContext(database.db, { now: () => NOW_MS })
  const placed = await placeOrder(context, {
    caller: callerOf(userId),
    requestId: 'r',
    idempotencyKey: systemIds.next(),
    request: { serviceId: sized.serviceId, resources: SMALL, months: 1, name: 'S' },
  })
  if (!placed.ok) throw new Error(placed.code)
  await settleOrder(context, { serverId: placed.answer.serverId, outcome: 'installed', reason: '' })
  return { userId, caller: callerOf(userId), ...placed.answer }
}
const order = () => ({ serviceId: shop.serviceId, packageId: shop.packageId, months: 1, name: 'S' })

it('an order without enough money names what is missing, and one at another price the new price', async () => {
  const caller = callerOf(await userWith(database.db, 400n))
  expect(await call('order', { caller, request: order() })).toEqual({
    code: 'INSUFFICIENT_BALANCE',
    params: { price: '590' },
  })
  expect(await call('order', { caller, request: { ...order(), expectedTotalFt: 1 } })).toEqual({
    code: 'PRICE_CHANGED',
    params: { price: '990' },
  })
})

it('an order by a customer in debt names the debt', async () => {
  const userId = await userWith(database.db, 5_000n)
  const origin = { id: systemIds.next(), atMs: NOW_MS, actor: 'system', requestId: 'r' }
  const taken = { documentId: systemIds.next(), sourceId: '', provider: 'sandbox', userId, amount: forints(321n) }
  await orderContext(database.db)
    .ledgerOn(database.db)
    .post(chargebackClaimed(origin, taken, forints(0n)))
  expect(await call('order', { caller: callerOf(userId), request: order() })).toEqual({
    code: 'DEBT_OPEN',
    params: { price: '321' },
  })
})

it('a renewal without enough money names what is missing, and one at another price the new price', async () => {
  const { caller, serverId } = await paid(1_000n)
  expect(await call('renew', { caller, serverId, request: { months: 1 } })).toEqual({
    code: 'INSUFFICIENT_BALANCE',
    params: { purchase: 'renewal', price: '980' },
  })
  const rich = await paid(5_000n)
  const request = { months: 2, expectedTotalFt: 1 }
  expect(await call('renew', { caller: rich.caller, serverId: rich.serverId, request })).toEqual({
    code: 'PRICE_CHANGED',
    params: { price: '1980' },
  })
})

it('a larger size without enough money names what is missing', async () => {
  const { caller, serverId } = await paidBySize(1_600n)
  const { params, code } = await call('modify-server', { caller, serverId, request: { resources: LARGE } })
  const quoted = await callMoney(paymentContext(database.db, { now: () => NOW_MS }), 'modification-quote', {
    input: { caller, serverId, request: { resources: LARGE } },
  })
  const { chargeFt } = quoted.json as unknown as { chargeFt: number }
  expect(chargeFt).toBeGreaterThan(100)
  expect({ code, params }).toEqual({
    code: 'INSUFFICIENT_BALANCE',
    params: { purchase: 'resize', price: String(chargeFt - 100) },
  })
})

it('a withdrawal that refunds another amount than shown names the new one', async () => {
  const { caller, orderId } = await paid(1_000n)
  const subject = { kind: 'order', documentId: orderId }
  await callMoney(paymentContext(database.db, { now: () => NOW_MS }), 'begin-withdrawal', {
    input: { caller, request: subject },
  })
  const wish = { caller, request: { ...subject, expectedBackFt: 5 } }
  expect(await call('confirm-withdrawal', wish, NOW_MS + 3 * DAY_MS)).toEqual({
    code: 'PRICE_CHANGED',
    params: { price: '891' },
  })
})

it('a top-up beyond the wallet’s bound names the bound', async () => {
  const caller = callerOf(await userWith(database.db, 9_000n))
  const request = { amount: 5_000, method: 'sandbox', acceptTerms: true }
  const context = { ...paymentContext(database.db), maximumBalanceFt: 10_000n }
  const { json } = await callMoney(context, 'topup', { input: { caller, request, returnUrl: RETURN_URL } })
  expect(json.error).toMatchObject({ code: 'TOPUP_WALLET_FULL', params: { maximum: 10_000 } })
})
