import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Dispute } from '#domain/payments/payment-state.ts'
import { observedAmount } from '#domain/payments/payment-amount.ts'
import { forints } from '#domain/billing/money.ts'
import { manualCredit } from '../../../control-plane/money/staff/manual-credit.ts'
import { writeOffDebt } from '../../../control-plane/money/staff/write-off-debt.ts'
import { readDebtFt } from '../../../control-plane/money/wallet/debt.ts'
import { CHARGEBACK_FAULTS } from '../../../control-plane/money/payments/payment-context.ts'
import { checkPayment } from '../../../control-plane/money/payments/settle-payment.ts'
import { bonusGranted } from '../../../control-plane/money/ledger/postings.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import { purchasePremium } from '../../../control-plane/money/premium/buy-premium.ts'
import { renewServer } from '../../../control-plane/money/renewals/renew-server.ts'
import { purchaseSpins } from '../../../control-plane/money/wheel/more-spins.ts'
import { prize, setWheel } from '../../factories/prizes.ts'
import { systemIds } from '#platform/ids.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { balanceOf, callerOf, openShop, orderContext, shopDatabase, type Shop } from '../../factories/shop.ts'
import { tillOf } from '../../factories/till-of.ts'
import { observation, toldProvider } from '../../factories/told-provider.ts'
import type { PaymentProvider } from '../../../control-plane/money/payments/payment-provider.ts'

let database: ControlDatabase
let shop: Shop
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner)
})
afterEach(async () => {
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

/** The provider's state of each payment; by the payment's id. */
const disputes = new Map<string, Dispute>()
const amounts = new Map<string, bigint>()
const provider: PaymentProvider = toldProvider({
  id: 'stripe',
  open: ({ paymentId, amount }) => {
    amounts.set(paymentId, amount.minor)
    return Promise.resolve({
      providerPaymentId: `pi_${paymentId}`,
      next: { kind: 'redirect', url: 'https://pay.test/' },
    })
  },
  fetchState: ({ paymentId }) =>
    Promise.resolve(
      observation({
        reference: paymentId,
        amount: observedAmount(forints(amounts.get(paymentId) ?? 0n)),
        dispute: disputes.get(paymentId) ?? 'none',
      }),
    ),
})
const till = tillOf(
  () => database,
  () => [provider],
)
const look = (paymentId: string, options = {}) => checkPayment(till.context(options), paymentId, { evenSettled: true })
const disputed = (paymentId: string, dispute: Dispute) => {
  disputes.set(paymentId, dispute)
  return look(paymentId)
}
async function paid(amount: number, userId = systemIds.next()) {
  const { paymentId } = await till.open({ method: 'stripe', amount, userId })
  await look(paymentId)
  return { userId, paymentId }
}
const debt = (userId: string) => readDebtFt(till.context().ledgerOn(database.db), userId)
const lossFt = async () => {
  const account = { kind: 'chargeback_loss', ownerId: '00000000-0000-0000-0000-000000000000', provider: '' } as const
  return (await till.context().ledgerOn(database.db).account(account, 'HUF')).balance
}
const order = (userId: string) =>
  placeOrder(orderContext(database.db), {
    caller: callerOf(userId),
    requestId: 'r',
    idempotencyKey: systemIds.next(),
    request: { serviceId: shop.serviceId, packageId: shop.packageId, months: 1, name: 'S' },
  })

describe('a charge-back by a bank', () => {
  it('a charge-back takes the wallet’s money, all of it when nothing was spent', async () => {
    const before = await lossFt()
    const { userId, paymentId } = await paid(5000)
    await disputed(paymentId, 'open')
    await disputed(paymentId, 'lost')
    expect(await balanceOf(database.db, userId)).toEqual({ money: 0n, held: 0n, available: 0n })
    expect([await debt(userId), (await lossFt()) - before]).toEqual([0n, 0n])
    expect(await till.statement(userId)).toMatchObject([
      { type: 'correction', amount: -5000, status: 'finished' },
      { type: 'top-up', amount: 5000, status: 'finished' },
    ])
  })

  it('case 80: spent money becomes a debt, and the customer cannot spend until it is paid', async () => {
    const { userId, paymentId } = await paid(5000)
    expect(await order(userId)).toMatchObject({ ok: true })
    await disputed(paymentId, 'open')
    expect(await debt(userId)).toBe(990n)
    expect(await order(userId)).toEqual({ ok: false, code: 'DEBT_OPEN', params: { price: '990' } })
    const { paymentId: second } = await paid(2500, userId)
    expect(await debt(userId)).toBe(0n)
    expect((await balanceOf(database.db, userId)).available).toBe(1510n)
    expect(await order(userId)).toMatchObject({ ok: true })
    expect(await till.postings('debt', second)).toHaveLength(1)
  })

  it('a customer in debt can neither renew nor buy premium or spins, whatever their bonus', async () => {
    await setWheel(database.owner, [prize('nothing')])
    await database.owner.query('update cms_api.prize_wheel set buying = true')
    const { userId, paymentId } = await paid(5000)
    const placed = await order(userId)
    if (!placed.ok) throw new Error(placed.code)
    const { serverId } = placed.answer
    await settleOrder(orderContext(database.db), { serverId, outcome: 'installed', reason: '' })
    await disputed(paymentId, 'lost')
    const origin = { id: systemIds.next(), atMs: Date.now(), actor: 'system', requestId: 'r' }
    const grant = { id: systemIds.next(), userId, amount: forints(50_000n), reason: 'Welcome' }
    await orderContext(database.db).ledgerOn(database.db).post(bonusGranted(origin, grant))
    const asked = () => ({ caller: callerOf(userId), requestId: 'r', idempotencyKey: systemIds.next() })
    const context = orderContext(database.db)
    const refused = [
      await renewServer(context, { ...asked(), serverId, request: { months: 1 } }),
      await purchasePremium(context, { ...asked(), request: { tier: 'essentials' } }),
      await purchaseSpins(context, { ...asked(), request: { count: 1 } }),
    ]
    expect(refused.map((answer) => (answer.ok ? 'ok' : answer.code))).toEqual([
      'INSUFFICIENT_BALANCE',
      'INSUFFICIENT_BALANCE',
      'INSUFFICIENT_BALANCE',
    ])
  })

  it('a charge-back during a pending refund takes the whole amount: if the refund fails, its money pays the debt', async () => {
    const { userId, paymentId } = await paid(5000)
    await database.owner.query(
      `insert into control.refunds (id, payment_id, user_id, provider, amount_ft, reason, requested_by, next_check_at,
         request_id, created_at, updated_at)
       values ($1, $2, $3, 'stripe', 2000, 'Asked for it.', $1, now(), 'r', now(), now())`,
      [systemIds.next(), paymentId, userId],
    )
    await disputed(paymentId, 'open')
    const rows = await database.owner.query('select amount_ft from control.chargebacks where payment_id = $1', [
      paymentId,
    ])
    expect(rows).toEqual([{ amount_ft: 5000n }])
  })

  it('a small top-up pays a part of the debt, and nothing can be spent yet', async () => {
    const { userId, paymentId } = await paid(5000)
    for (let orders = 0; orders < 5; orders += 1) await order(userId)
    await disputed(paymentId, 'lost')
    expect(await debt(userId)).toBe(4950n)
    await paid(1000, userId)
    expect([await debt(userId), await till.money(userId)]).toEqual([3950n, 4950n])
    expect(await order(userId)).toMatchObject({ ok: false, code: 'DEBT_OPEN' })
  })

  it('a won dispute gives the money back: first to the debt, then to the wallet', async () => {
    const before = await lossFt()
    const { userId, paymentId } = await paid(5000)
    await order(userId)
    await disputed(paymentId, 'open')
    await disputed(paymentId, 'won')
    await disputed(paymentId, 'won')
    expect(await debt(userId)).toBe(0n)
    expect(await balanceOf(database.db, userId)).toEqual({ money: 5000n, held: 990n, available: 4010n })
    expect((await lossFt()) - before).toBe(0n)
  })

  it('a written-off debt does not become the customer’s money when the dispute is won after all', async () => {
    const before = await lossFt()
    const { userId, paymentId } = await paid(5000)
    await order(userId)
    await disputed(paymentId, 'lost')
    const command = { staffId: systemIds.next(), userId, reason: 'gone for ever', requestId: 'r' }
    expect(await writeOffDebt(till.context(), { ...command, idempotencyKey: 'k' })).toMatchObject({
      ok: true,
      amountFt: 990,
    })
    expect(await writeOffDebt(till.context(), { ...command, idempotencyKey: 'k' })).toMatchObject({
      ok: true,
      amountFt: 990,
    })
    expect(await writeOffDebt(till.context(), { ...command, idempotencyKey: 'l' })).toMatchObject({ code: 'NO_DEBT' })
    expect([await debt(userId), (await lossFt()) - before]).toEqual([0n, -990n])
    expect(await order(userId)).toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
    await disputed(paymentId, 'won')
    expect(await balanceOf(database.db, userId)).toMatchObject({ money: 5000n, available: 4010n })
    expect((await lossFt()) - before).toBe(0n)
  })

  it('a written-off debt of another cause does not affect a paid charge-back', async () => {
    const { userId, paymentId } = await paid(5000)
    for (let orders = 0; orders < 5; orders += 1) await order(userId)
    await disputed(paymentId, 'lost')
    expect(await debt(userId)).toBe(4950n)
    await paid(4950, userId)
    expect(await debt(userId)).toBe(0n)
    await database.owner.query('insert into cms_api.people (id) values ($1)', [userId])
    const staff = { staffId: systemIds.next(), userId, requestId: 'r' }
    const wish = { direction: 'debit', bucket: 'money', withDebt: true, address: '', amountFt: 3000 } as const
    const reason = 'A mistake of an earlier correction.'
    const corrected = await manualCredit(till.context(), { ...staff, ...wish, reason, idempotencyKey: 'c' })
    expect(corrected).toMatchObject({ ok: true, state: 'done' })
    expect(await debt(userId)).toBe(3000n)
    const written = await writeOffDebt(till.context(), { ...staff, reason, idempotencyKey: 'w' })
    expect(written).toMatchObject({ ok: true, amountFt: 3000 })
    await disputed(paymentId, 'won')
    expect(await balanceOf(database.db, userId)).toMatchObject({ money: 9950n, available: 5000n })
  })

  it.each(CHARGEBACK_FAULTS)('I9: an exception at %s leaves nothing half done', async (fault) => {
    const { userId, paymentId } = await paid(5000)
    disputes.set(paymentId, 'open')
    const faults = (point: string) => (point === fault ? Promise.reject(new Error(point)) : Promise.resolve())
    await expect(look(paymentId, { faults })).rejects.toThrow(fault)
    expect(await till.money(userId)).toBe(5000n)
    await look(paymentId)
    await look(paymentId)
    expect([await till.money(userId), await debt(userId)]).toEqual([0n, 0n])
  })

  it('20 concurrent lookups take it back once', async () => {
    const { userId, paymentId } = await paid(5000)
    disputes.set(paymentId, 'open')
    await Promise.all(Array.from({ length: 20 }, () => look(paymentId)))
    expect([await till.money(userId), await debt(userId)]).toEqual([0n, 0n])
    expect(await till.postings('chargeback', paymentId)).toHaveLength(2)
  })

  it('a payment first seen as disputed is credited and taken back', async () => {
    const { paymentId, userId } = await till.open({ method: 'stripe', amount: 5000 })
    await disputed(paymentId, 'open')
    expect([await till.money(userId), await debt(userId)]).toEqual([0n, 0n])
    expect(await till.postings('top-up', paymentId)).toHaveLength(1)
  })
})
