import { beforeAll, describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { CHARGEBACK_FAULTS } from '../../../control-plane/money/payments/payment-context.ts'
import { readDebtFt } from '../../../control-plane/money/wallet/debt.ts'
import { refundPayment } from '../../../control-plane/money/payments/refund-payment.ts'
import { checkPayment } from '../../../control-plane/money/payments/settle-payment.ts'
import { readStaffPayments } from '../../../control-plane/money/staff/staff-payments.ts'
import { writeOffDebt } from '../../../control-plane/money/staff/write-off-debt.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import { systemIds } from '#platform/ids.ts'
import { barionTill } from '../../factories/barion-till.ts'
import { callerOf, openShop, orderContext, type Shop } from '../../factories/shop.ts'
import { START_MS } from '../../factories/till-of.ts'

const DAY = 86_400_000
const books = barionTill(40)
const { till } = books
let shop: Shop
beforeAll(async () => {
  shop = await openShop(books.database.owner)
})

async function paid(amount = 5000) {
  const opened = await till.open({ method: 'barion', amount })
  books.rig.barion.decide(opened.providerPaymentId, 'succeed')
  await checkPayment(till.context(), opened.paymentId)
  return opened
}
type Paid = Awaited<ReturnType<typeof paid>>
/** Somebody refunds at Barion's own pages; `comment` is what they write beside it. */
const refundThere = ({ paymentId, providerPaymentId }: Paid, amount: bigint, comment = `by hand ${systemIds.next()}`) =>
  books.rig.provider.refund?.({ paymentId, providerPaymentId, refundId: comment, amount: forints(amount) })
const refundHere = (paymentId: string, amountFt: number) =>
  refundPayment(till.context(), {
    staffId: systemIds.next(),
    paymentId,
    amountFt,
    reason: 'The customer withdrew.',
    requestId: 'r',
    idempotencyKey: systemIds.next(),
  })
const look = (paymentId: string, options = {}) => checkPayment(till.context(options), paymentId, { evenSettled: true })
const debt = (userId: string) => readDebtFt(till.context().ledgerOn(books.database.db), userId)
const order = (userId: string) =>
  placeOrder(orderContext(books.database.db), {
    caller: callerOf(userId),
    requestId: 'r',
    idempotencyKey: systemIds.next(),
    request: { serviceId: shop.serviceId, packageId: shop.packageId, months: 1, name: 'S' },
  })
const noticesOf = (userId: string) =>
  books.database.owner.query<{ text: string; data: object }>(
    `select text, data from control.notifications where user_id = $1 and text <> 'topup.successful' order by created_at, id`,
    [userId],
  )
const staffSee = async (userId: string) =>
  (await readStaffPayments(books.database.db, till.context().providers, { which: 'taken-back', userId })).items

describe('refunds made on the provider’s own pages', () => {
  it('T12: a foreign refund is taken from the balance once, however often it is reported, and the customer and staff see it', async () => {
    const payment = await paid()
    await refundThere(payment, 1200n)
    await Promise.all(Array.from({ length: 20 }, () => look(payment.paymentId)))
    await look(payment.paymentId)
    expect([await till.money(payment.userId), await debt(payment.userId)]).toEqual([3800n, 0n])
    expect(await till.postings('refund', payment.paymentId)).toEqual([
      { reason: 'Refund made at barion, not by Bakter' },
    ])
    expect(await till.statement(payment.userId)).toEqual([
      { type: 'refund', amount: -1200, status: 'finished', refundedFt: 0 },
      { type: 'top-up', amount: 5000, status: 'finished', refundedFt: 1200 },
    ])
    expect(await noticesOf(payment.userId)).toEqual([{ text: 'refund.sent', data: { amount: 1200 } }])
    expect(await staffSee(payment.userId)).toMatchObject([
      { refundableFt: 3800, takenBack: [{ kind: 'refund', amountFt: 1200, fromWalletFt: 1200, state: 'taken' }] },
    ])
  })

  it('a foreign refund of spent money leaves a debt, which staff may write off', async () => {
    const payment = await paid(1500)
    expect(await order(payment.userId)).toMatchObject({ ok: true })
    await refundThere(payment, 1500n)
    await look(payment.paymentId)
    expect(await debt(payment.userId)).toBe(990n)
    expect(await noticesOf(payment.userId)).toContainEqual({ text: 'refund.sent', data: { amount: 1500, debt: 990 } })
    const command = { staffId: systemIds.next(), userId: payment.userId, reason: 'a friendly end', requestId: 'r' }
    const written = await writeOffDebt(till.context(), { ...command, idempotencyKey: systemIds.next() })
    expect(written).toMatchObject({ ok: true, amountFt: 990 })
    expect(await staffSee(payment.userId)).toMatchObject([{ takenBack: [{ debtFt: 990, writtenOffFt: 990 }] }])
  })

  it('two foreign refunds of the same amount are two refunds', async () => {
    const payment = await paid()
    await refundThere(payment, 700n)
    await look(payment.paymentId)
    await refundThere(payment, 700n)
    await Promise.all(Array.from({ length: 5 }, () => look(payment.paymentId)))
    expect(await till.money(payment.userId)).toBe(3600n)
  })

  it('I8: foreign refunds and ours together never exceed the payment', async () => {
    const payment = await paid()
    await refundThere(payment, 3000n)
    await look(payment.paymentId)
    expect(await refundHere(payment.paymentId, 2001)).toEqual({ ok: false, code: 'MORE_THAN_PAID' })
    expect(await refundHere(payment.paymentId, 2000)).toMatchObject({ ok: true, state: 'succeeded' })
    await look(payment.paymentId)
    expect(await till.money(payment.userId)).toBe(0n)
    expect(await refundHere(payment.paymentId, 1)).toMatchObject({ ok: false })
  })

  it('T12: beside a pending refund of ours, each is taken once', async () => {
    const payment = await paid()
    books.rig.barion.set('lost answer')
    expect(await refundHere(payment.paymentId, 2000)).toMatchObject({ ok: true, state: 'requested' })
    books.rig.barion.set('nothing')
    await refundThere(payment, 1200n)
    const looks = Array.from({ length: 20 }, () => look(payment.paymentId))
    await Promise.all([...looks, till.reconcileAt(START_MS + 180_000)])
    await look(payment.paymentId)
    expect([await till.money(payment.userId), await debt(payment.userId)]).toEqual([1800n, 0n])
    const there = books.rig.barion.payments().find(({ PaymentId }) => PaymentId === payment.providerPaymentId)
    const sent = there?.Transactions.filter(({ TransactionType }) => TransactionType === 'RefundToBankCard')
    expect(sent?.map(({ Total }) => Total).sort()).toEqual([1200, 2000])
  })

  it('our id written on a second refund does not make it ours', async () => {
    const payment = await paid()
    const ours = await refundHere(payment.paymentId, 1000)
    const there = books.rig.barion.payments().find(({ PaymentId }) => PaymentId === payment.providerPaymentId)
    const sent = there?.Transactions.find(({ Comment }) => ours.ok && Comment === ours.refundId)
    if (!there || !sent) throw new Error('no refund')
    there.Transactions.push({ ...sent, TransactionId: 'f'.repeat(32) })
    await look(payment.paymentId)
    await look(payment.paymentId)
    expect(await till.money(payment.userId)).toBe(3000n)
  })

  it('a foreign refund that the bank sends back is given back once', async () => {
    const payment = await paid()
    const name = `by hand ${systemIds.next()}`
    await refundThere(payment, 1200n, name)
    await look(payment.paymentId)
    books.rig.barion.returnRefund(name)
    await Promise.all(Array.from({ length: 10 }, () => look(payment.paymentId)))
    expect(await till.money(payment.userId)).toBe(5000n)
    expect(await staffSee(payment.userId)).toMatchObject([{ takenBack: [{ state: 'returned' }] }])
    expect(await noticesOf(payment.userId)).toMatchObject([{ text: 'refund.sent' }, { text: 'refund.failed' }])
  })

  it.each(CHARGEBACK_FAULTS.slice(1))('I9: a throw at %s leaves nothing half done', async (fault) => {
    const payment = await paid()
    await refundThere(payment, 1200n)
    const faults = (point: string) => (point === fault ? Promise.reject(new Error(point)) : Promise.resolve())
    await expect(look(payment.paymentId, { faults })).rejects.toThrow(fault)
    expect(await till.money(payment.userId)).toBe(5000n)
    await look(payment.paymentId)
    expect(await till.money(payment.userId)).toBe(3800n)
  })

  it('a refund that staff dismissed in the previous release is not taken a second time', async () => {
    const payment = await paid()
    await refundThere(payment, 1200n)
    await books.database.owner.query(
      `insert into control.unmatched_payments (id, provider, provider_payment_id, kind, problem, amount_minor, currency, exponent,
         payment_id, user_id, state, resolved_by, resolution, created_at, resolved_at)
       values ($1, 'barion', $2, 'refund', 'FOREIGN_REFUND', 1200, 'HUF', 0, $3, $4, 'dismissed', $1, 'by hand', now(), now())`,
      [systemIds.next(), payment.providerPaymentId, payment.paymentId, payment.userId],
    )
    await look(payment.paymentId)
    expect(await till.money(payment.userId)).toBe(5000n)
  })
})

describe('our refund that fails after it was reported as sent', () => {
  const returned = async () => {
    const payment = await paid()
    const refund = await refundHere(payment.paymentId, 2000)
    if (!refund.ok) throw new Error(refund.code)
    expect(await till.money(payment.userId)).toBe(3000n)
    books.rig.barion.returnRefund(refund.refundId)
    return { ...payment, refundId: refund.refundId }
  }

  it('the money returns to the balance once, and customer and staff are notified', async () => {
    const payment = await returned()
    await Promise.all(Array.from({ length: 20 }, () => look(payment.paymentId)))
    await look(payment.paymentId)
    expect(await till.money(payment.userId)).toBe(5000n)
    expect(await till.postings('refund', payment.refundId)).toHaveLength(3)
    expect(await till.statement(payment.userId)).toEqual([
      { type: 'refund', amount: -2000, status: 'failed', refundedFt: 0 },
      { type: 'top-up', amount: 5000, status: 'finished', refundedFt: 0 },
    ])
    expect(await noticesOf(payment.userId)).toEqual([
      { text: 'refund.sent', data: { amount: 2000 } },
      { text: 'refund.failed', data: { amount: 2000 } },
    ])
    const all = await readStaffPayments(books.database.db, till.context().providers, {
      which: 'all',
      userId: payment.userId,
    })
    expect(all.items).toMatchObject([
      {
        refundableFt: 5000,
        refundedFt: 0,
        standing: 'settled',
        refunds: [{ state: 'failed', failureCode: 'returned' }],
      },
    ])
    expect(await refundHere(payment.paymentId, 5000)).toMatchObject({ ok: true, state: 'succeeded' })
  })

  it('the reconciler finds an unreported failure, for 30 days', async () => {
    const payment = await returned()
    await till.reconcileAt(START_MS + DAY + 60_000)
    expect(await till.money(payment.userId)).toBe(5000n)
    const { paymentId } = await paid()
    await refundHere(paymentId, 100)
    for (const days of [2, 32, 64]) await till.reconcileAt(START_MS + days * DAY)
    const calls = books.rig.barion.calls.length
    await till.reconcileAt(START_MS + 100 * DAY)
    expect(books.rig.barion.calls.length).toBe(calls)
  })
})
