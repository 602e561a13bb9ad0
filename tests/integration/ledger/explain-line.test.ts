import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TransactionDetail } from '#contracts/http/transaction-detail.ts'
import { forints } from '#domain/billing/money.ts'
import type { SeenDispute, SeenRefund } from '#domain/payments/reversal.ts'
import { observedAmount } from '#domain/payments/payment-amount.ts'
import type { Dispute } from '#domain/payments/payment-state.ts'
import { BILLING_MONTH_MS, DAY_MS } from '#domain/billing/period.ts'
import { explainLine } from '../../../control-plane/money/wallet/explain-line.ts'
import { refundServer } from '../../../control-plane/money/withdrawal/refund-server.ts'
import { refundPayment } from '../../../control-plane/money/payments/refund-payment.ts'
import { checkPayment } from '../../../control-plane/money/payments/settle-payment.ts'
import { readStatement, writeStatementLine } from '../../../control-plane/money/wallet/statement.ts'
import { modifyServer } from '../../../control-plane/money/modification/modify-server.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { settleOrder } from '../../../control-plane/money/orders/settle-order.ts'
import type { PaymentProvider } from '../../../control-plane/money/payments/payment-provider.ts'
import { erasePerson } from '../../../control-plane/people/erase-person.ts'
import { systemIds } from '#platform/ids.ts'
import { purchasePremium } from '../../../control-plane/money/premium/buy-premium.ts'
import { renewServer } from '../../../control-plane/money/renewals/renew-server.ts'
import { purchaseSpins } from '../../../control-plane/money/wheel/more-spins.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { billedPerson } from '../../factories/invoices.ts'
import { renewCommand } from '../../factories/paid-server.ts'
import { withdraw } from '../../factories/withdrawals.ts'
import { prize, setWheel, spinOnce } from '../../factories/prizes.ts'
import { phoneRig } from '../../factories/provider-rigs.ts'
import { callerOf, credit, openShop, orderContext, shopDatabase, type Shop } from '../../factories/shop.ts'
import { LARGE, SMALL } from '../../factories/size-changes.ts'
import { START_MS, tillOf } from '../../factories/till-of.ts'
import { observation, toldProvider } from '../../factories/told-provider.ts'

const REASON = 'The customer withdrew in time.'

let database: ControlDatabase
let shop: Shop
/** A service of the same shop whose size is chosen. */
let sized: string
beforeAll(async () => {
  database = await shopDatabase()
  shop = await openShop(database.owner, { priceFt: 1990, portCount: 1000, memoryMiB: 1_000_000 })
  const range = (step: number, unitPriceFt: number) => ({ minimum: step, maximum: 8 * step, step, unitPriceFt })
  const resources = { cpuPercent: range(100, 1000), ramMiB: range(1024, 500), storageMiB: range(1024, 0) }
  sized = systemIds.next()
  await database.owner.query(
    `insert into cms_api.services select $1, 'sized', name, description, category, server_template_id, machine_ids, banner, icon,
       orderable, highlighted, position, points_count, minimum_point, price_per_point_ft, $2, operating_systems, starting_price_ft
     from cms_api.services`,
    [sized, JSON.stringify(resources)],
  )
  await database.owner.query(
    `insert into cms_api.coupons (id, name, code, type, amount, usage, active) values ($1, 'c', 'SPRING', 'forint', 200, 'multiple', true)`,
    [systemIds.next()],
  )
  await setWheel(database.owner, [prize('money', 700)])
})
afterAll(() => database.close())

const disputes = new Map<string, Dispute>()
const lists = new Map<string, { disputes?: readonly SeenDispute[]; refunds?: readonly SeenRefund[] }>()
const amounts = new Map<string, bigint>()
const told: PaymentProvider = toldProvider({
  id: 'stripe',
  capabilities: { ...toldProvider().capabilities, refunds: 'partial' },
  open: ({ paymentId, amount }) => {
    amounts.set(paymentId, amount.minor)
    const next = { kind: 'redirect', url: 'https://pay.test/' } as const
    return Promise.resolve({ providerPaymentId: `pi_${paymentId}`, next })
  },
  fetchState: ({ paymentId }) =>
    Promise.resolve(
      observation({
        reference: paymentId,
        amount: observedAmount(forints(amounts.get(paymentId) ?? 0n)),
        dispute: disputes.get(paymentId) ?? 'none',
        ...lists.get(paymentId),
      }),
    ),
})
const phone = () => phoneRig(orderContext(database.db, { now: () => START_MS }))
const till = tillOf(
  () => database,
  () => [told, phone().provider],
)
const look = (paymentId: string) => checkPayment(till.context(), paymentId, { evenSettled: true })
const at = (nowMs: number) => orderContext(database.db, { now: () => nowMs })
const keyed = () => ({ idempotencyKey: systemIds.next(), requestId: 'r' })

const explain = (userId: string, transactionId: string, locale: 'hu' | 'en' | 'de' = 'en') =>
  explainLine(database.db, { userId, locale, transactionId })
const linesOf = async (userId: string) => (await readStatement(database.db, { userId })).items
const newest = async (userId: string): Promise<TransactionDetail> => {
  const [line] = await linesOf(userId)
  const detail = await explain(userId, line?.id ?? systemIds.next())
  if (!detail) throw new Error('no line')
  return detail
}

async function order(userId: string, request: object, nowMs = START_MS): Promise<string> {
  const wanted = { serviceId: shop.serviceId, months: 1, name: 'Castle', ...request }
  const placed = await placeOrder(at(nowMs), { caller: callerOf(userId), ...keyed(), request: wanted })
  if (!placed.ok) throw new Error(placed.code)
  return placed.answer.serverId
}
const install = (serverId: string, nowMs = START_MS) =>
  settleOrder(at(nowMs), { serverId, outcome: 'installed', reason: '' })

async function somebody(amountFt = 100_000n): Promise<string> {
  const userId = await billedPerson(database.owner)
  await credit(database.db, { userId, amountFt })
  return userId
}
const premium = (userId: string, nowMs = START_MS) =>
  purchasePremium(at(nowMs), { caller: callerOf(userId), ...keyed(), request: { tier: 'maximus' } })
const iso = (ms: number) => new Date(ms).toISOString()

describe('I15: the explanation of a statement line', () => {
  it('I15: an order is explained by months, premium and coupon, period, server, size and invoice', async () => {
    const userId = await somebody()
    await premium(userId)
    const serverId = await order(userId, { packageId: shop.packageId, months: 2, couponCode: 'SPRING' })
    expect(await newest(userId)).toMatchObject({ cause: 'order', period: null, documents: [] })
    await install(serverId)
    const detail = await newest(userId)
    expect(detail).toMatchObject({
      cause: 'order',
      product: 'Minecraft',
      size: { cpuPercent: 100, memoryMiB: 1024, storageMiB: 2048 },
      period: { start: iso(START_MS), end: iso(START_MS + 2 * BILLING_MONTH_MS) },
      server: { id: serverId, name: 'Castle', isThere: true },
      formula: [
        { kind: 'months', monthlyFt: 1990, months: 2, amountFt: 3980 },
        { kind: 'premium-discount', percent: 10, amountFt: -398 },
        { kind: 'coupon', code: 'SPRING', amountFt: -200 },
      ],
      documents: [{ kind: 'invoice', number: expect.stringMatching(/-2026-/) as string }],
    })
    expect(detail.documents[0]?.downloadUrl).toBe(`/api/balance/invoices/${detail.documents[0]?.id}/pdf`)
  })

  it('I15: manual and automatic renewals are explained by the discount and the added months', async () => {
    const userId = await somebody()
    const serverId = await order(userId, { packageId: shop.packageId })
    await install(serverId)
    await premium(userId)
    await renewServer(at(START_MS + DAY_MS), renewCommand({ userId, serverId }, { request: { months: 3 } }))
    expect(await newest(userId)).toMatchObject({
      cause: 'renewal',
      period: { start: iso(START_MS + BILLING_MONTH_MS), end: iso(START_MS + 4 * BILLING_MONTH_MS) },
      formula: [
        { kind: 'months', monthlyFt: 1990, months: 3, amountFt: 5970 },
        { kind: 'premium-discount', percent: 10, amountFt: -597 },
      ],
      server: { id: serverId },
      documents: [{ kind: 'invoice' }],
    })
    await database.owner.query('update control.renewals set automatic = true where server_id = $1', [serverId])
    expect((await newest(userId)).cause).toBe('renewal-automatic')
  })

  it('I15: an upgrade is explained by the exact days and a downgrade by the payments; an earlier order keeps its size', async () => {
    const userId = await somebody()
    const serverId = await order(userId, { serviceId: sized, resources: SMALL })
    await install(serverId)
    const [ordered] = await linesOf(userId)
    const modify = (nowMs: number, resources: typeof SMALL) =>
      modifyServer(at(nowMs), { caller: callerOf(userId), serverId, ...keyed(), request: { resources } })
    await modify(START_MS + 10.5 * DAY_MS, LARGE)
    expect(await newest(userId)).toMatchObject({
      cause: 'modification',
      size: { memoryMiB: 1024 },
      newSize: { memoryMiB: 2048 },
      period: { start: iso(START_MS + 10.5 * DAY_MS), end: iso(START_MS + BILLING_MONTH_MS) },
      formula: [{ kind: 'days-charged', fromMonthlyFt: 1500, toMonthlyFt: 3000, days: 19.5, amountFt: 975 }],
      documents: [{ kind: 'invoice' }],
    })
    await premium(userId, START_MS + 15 * DAY_MS)
    await modify(START_MS + 15 * DAY_MS, { ...LARGE, ramMiB: 3072 })
    expect((await newest(userId)).formula).toEqual([
      { kind: 'days-charged', fromMonthlyFt: 3000, toMonthlyFt: 3500, days: 15, amountFt: 250 },
      { kind: 'premium-discount', percent: 10, amountFt: -25 },
    ])
    expect(await explain(userId, ordered?.id ?? '')).toMatchObject({
      size: { cpuPercent: 100, memoryMiB: 1024, storageMiB: 1024 },
      formula: [
        { kind: 'resource', key: 'cpuPercent', quantity: 100, monthlyFt: 1000, months: 1, amountFt: 1000 },
        { kind: 'resource', key: 'ramMiB', quantity: 1024, monthlyFt: 500, months: 1, amountFt: 500 },
        { kind: 'resource', key: 'storageMiB' },
      ],
    })
    await modify(START_MS + 20 * DAY_MS, SMALL)
    expect((await newest(userId)).formula).toMatchObject([{ kind: 'days-returned', toMonthlyFt: 1500, days: 10 }])
  })

  it('I15: premium, spins and a prize are explained', async () => {
    const userId = await somebody()
    await premium(userId)
    expect(await newest(userId)).toMatchObject({
      cause: 'premium',
      product: 'Premium Maximus',
      formula: [{ kind: 'flat', amountFt: 1990 }],
      period: { start: iso(START_MS), end: iso(START_MS + 30 * DAY_MS) },
      documents: [{ kind: 'invoice' }],
    })
    await purchaseSpins(at(START_MS), { caller: callerOf(userId), ...keyed(), request: { count: 3 } })
    const { formula } = await newest(userId)
    expect(formula).toMatchObject([{ kind: 'each', count: 3 }])
    await spinOnce(at(START_MS), userId)
    expect(await newest(userId)).toMatchObject({ cause: 'prize', formula: [{ kind: 'flat', amountFt: 700 }] })
  })

  it('I15: a top-up by card, one by phone with the fees, and a refund are explained', async () => {
    const { userId, paymentId } = await till.open({ method: 'stripe', amount: 5000 })
    await look(paymentId)
    const [line] = await linesOf(userId)
    expect(await newest(userId)).toMatchObject({
      cause: 'top-up',
      method: 'stripe',
      providerReference: `pi_${paymentId}`,
      formula: [{ kind: 'paid', amountFt: 5000 }],
    })
    await refundPayment(till.context(), {
      staffId: systemIds.next(),
      paymentId,
      amountFt: 2000,
      reason: REASON,
      ...keyed(),
    })
    expect(await newest(userId)).toMatchObject({
      cause: 'refund',
      method: 'stripe',
      reason: REASON,
      paymentLineId: line?.id,
      formula: [{ kind: 'flat', amountFt: 2000 }],
    })
    const byPhone = await till.open({ method: 'phone', amount: 1905 })
    expect((await newest(byPhone.userId)).formula).toEqual([
      { kind: 'paid', amountFt: 1905 },
      { kind: 'provider-share', amountFt: -1105 },
    ])
  })

  it('I15: a charge-back, its paid debt, and a won dispute are explained', async () => {
    const { userId, paymentId } = await till.open({ method: 'stripe', amount: 3000 })
    await look(paymentId)
    const serverId = await order(userId, { packageId: shop.packageId })
    await install(serverId)
    disputes.set(paymentId, 'open')
    await look(paymentId)
    expect(await newest(userId)).toMatchObject({
      cause: 'charge-back',
      method: 'stripe',
      formula: [
        { kind: 'disputed', amountFt: 3000 },
        { kind: 'debt', amountFt: -1990 },
      ],
    })
    const next = await till.open({ method: 'stripe', amount: 2500, userId })
    await look(next.paymentId)
    expect(await newest(userId)).toMatchObject({ cause: 'debt-paid', formula: [{ kind: 'flat', amountFt: 1990 }] })
    disputes.set(paymentId, 'won')
    await look(paymentId)
    expect(await newest(userId)).toMatchObject({
      cause: 'dispute-won',
      formula: [{ kind: 'disputed', amountFt: 3000 }],
    })
  })

  it('I15: disputes and refunds with provider ids are each explained by their own amount', async () => {
    const { userId, paymentId } = await till.open({ method: 'stripe', amount: 3000 })
    await look(paymentId)
    const sums = [700n, 900n]
    lists.set(paymentId, { disputes: sums.map((minor, at) => ({ id: `dp_${at}`, minor, state: 'open' })) })
    await look(paymentId)
    lists.set(paymentId, { refunds: [{ id: 're_1', refundId: null, minor: 300n, state: 'succeeded' }] })
    await look(paymentId)
    lists.set(paymentId, { refunds: [{ id: 're_1', refundId: null, minor: 300n, state: 'failed' }] })
    await look(paymentId)
    const lines = await linesOf(userId)
    const details = await Promise.all(lines.map(({ id }) => explain(userId, id)))
    expect(details.map((detail) => [detail?.cause, detail?.formula.map(({ amountFt }) => amountFt)])).toEqual([
      ['refund', [300]],
      ['refund', [300]],
      ['charge-back', [900]],
      ['charge-back', [700]],
      ['top-up', [3000]],
    ])
  })

  it('I15: refunds of purchases are explained, with their correcting documents', async () => {
    const userId = await somebody()
    const serverId = await order(userId, { serviceId: sized, resources: LARGE, months: 2 })
    await install(serverId)
    const [ordered] = await linesOf(userId)
    await modifyServer(at(START_MS + DAY_MS), {
      caller: callerOf(userId),
      serverId,
      ...keyed(),
      request: { resources: SMALL },
    })
    const bought = await explain(userId, ordered?.id ?? '')
    expect(bought?.documents.map(({ kind }) => kind)).toEqual(['invoice', 'correction'])
    const refunded = await refundServer(at(START_MS + DAY_MS), {
      staffId: systemIds.next(),
      serverId,
      amountFt: 100,
      reason: REASON,
      endServer: false,
      ...keyed(),
    })
    expect(refunded.ok).toBe(true)
    expect(await newest(userId)).toMatchObject({
      cause: 'given-back',
      reason: REASON,
      formula: [{ kind: 'flat', amountFt: 100 }],
    })
    const subject = { kind: 'order', documentId: ordered?.document.id ?? '' } as const
    expect(await withdraw(database.db, { userId, subject, nowMs: START_MS + 2 * DAY_MS })).toMatchObject({ ok: true })
    const [line] = await linesOf(userId)
    expect(await newest(userId)).toMatchObject({
      cause: 'given-back',
      formula: [{ kind: 'flat', amountFt: line?.amount }],
    })
    const lineOf = await somebody()
    await premium(lineOf)
    const [purchase] = await linesOf(lineOf)
    const tier = { kind: 'premium', documentId: purchase?.document.id ?? '' } as const
    expect(await withdraw(database.db, { userId: lineOf, subject: tier, nowMs: START_MS + DAY_MS })).toMatchObject({
      ok: true,
    })
    expect(await newest(lineOf)).toMatchObject({ cause: 'given-back', product: 'Premium Maximus' })
  })

  it('I15: an upgrade split by a withdrawal keeps its days', async () => {
    const userId = await somebody()
    const serverId = await order(userId, { serviceId: sized, resources: SMALL })
    await install(serverId)
    const renewed = await renewServer(at(START_MS + DAY_MS), renewCommand({ userId, serverId }))
    if (!renewed.ok) throw new Error(renewed.code)
    const [renewal] = await linesOf(userId)
    await modifyServer(at(START_MS + 2 * DAY_MS), {
      caller: callerOf(userId),
      serverId,
      ...keyed(),
      request: { resources: LARGE },
    })
    const [upgraded] = await linesOf(userId)
    const before = await explain(userId, upgraded?.id ?? '')
    const subject = { kind: 'renewal', documentId: renewal?.document.id ?? '' } as const
    expect(await withdraw(database.db, { userId, subject, nowMs: START_MS + 3 * DAY_MS })).toMatchObject({ ok: true })
    expect(await explain(userId, upgraded?.id ?? '')).toMatchObject({
      formula: before?.formula,
      period: before?.period,
    })
  })

  it('I15: a correction by staff is explained in their words, and so is a forfeited balance', async () => {
    const userId = await somebody(500n)
    await database.db.transaction((tx) =>
      writeStatementLine(tx, at(START_MS), {
        userId,
        type: 'correction',
        paymentType: 'balance',
        amountFt: 5n,
        status: 'finished',
        reason: REASON,
        document: { kind: 'correction', id: systemIds.next() },
      }),
    )
    expect(await newest(userId)).toMatchObject({ cause: 'correction', reason: REASON, formula: [] })
    await erasePerson(at(START_MS), { userId, email: null, waivedFt: 500, requestId: 'r' })
    const [line] = await linesOf(userId)
    if (line) expect((await newest(userId)).cause).toBe('account-closed')
  })

  it('I15: the steps of every line add up to its amount, in each language, and only its owner sees them', async () => {
    const rows = await database.owner.query<{ id: string; user_id: string; type: string; amount_ft: bigint }>(
      'select id, user_id, type, amount_ft from control.wallet_transactions order by id',
    )
    const types = new Set(rows.map(({ type }) => type))
    expect(types.size).toBeGreaterThanOrEqual(9)
    for (const { id, user_id: userId, type, amount_ft: amountFt } of rows) {
      const detail = await explain(userId, id, 'hu')
      if (!detail) throw new Error(`no explanation of a ${type}`)
      expect(TransactionDetail.parse(detail)).toEqual(detail)
      const sumFt = detail.formula.reduce((sum, part) => sum + part.amountFt, 0)
      const isSaid = detail.cause === 'correction' && detail.reason !== null
      expect([type, id, isSaid ? 'said' : sumFt]).toEqual([type, id, isSaid ? 'said' : Math.abs(Number(amountFt))])
      expect(await explain(systemIds.next(), id)).toBeUndefined()
    }
  })
})
