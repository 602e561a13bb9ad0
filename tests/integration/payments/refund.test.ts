import { beforeAll, describe, expect, it } from 'vitest'
import { REFUND_FAULTS } from '../../../control-plane/money/payments/payment-context.ts'
import { carryOutRefund, refundPayment } from '../../../control-plane/money/payments/refund-payment.ts'
import { checkPayment } from '../../../control-plane/money/payments/settle-payment.ts'
import { placeOrder } from '../../../control-plane/money/orders/place-order.ts'
import type { PaymentProvider } from '../../../control-plane/money/payments/payment-provider.ts'
import type { FaultPoint } from '#platform/fault-point.ts'
import { systemIds } from '#platform/ids.ts'
import { barionTill } from '../../factories/barion-till.ts'
import { callerOf, openShop, orderContext, type Shop } from '../../factories/shop.ts'
import { START_MS, tillOf } from '../../factories/till-of.ts'

const MINUTE = 60_000
const books = barionTill()
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
type Changes = { amountFt?: number; key?: string; faults?: FaultPoint }
const refund = (paymentId: string, { amountFt = 2000, key = systemIds.next(), faults }: Changes = {}) =>
  refundPayment(till.context(faults ? { faults } : {}), {
    staffId: '0197c0de-0000-7000-8000-00000000aaaa',
    paymentId,
    amountFt,
    reason: 'The customer withdrew.',
    requestId: 'r',
    idempotencyKey: key,
  })
const sentFor = (paymentId: string) => {
  const payments = books.rig.barion.payments().filter(({ OrderNumber }) => OrderNumber === paymentId)
  return payments
    .flatMap(({ Transactions }) => Transactions)
    .filter(({ TransactionType }) => TransactionType === 'RefundToBankCard')
    .reduce((sum, { Total }) => sum + Total, 0)
}
const inTransit = async () => {
  const [row] = await books.database.owner.query<{ balance: bigint }>(
    `select coalesce(sum(balance_minor), 0)::bigint as balance from control.ledger_accounts where kind = 'refunds_out'`,
  )
  return row?.balance
}
const statesOf = async (paymentId: string) =>
  (
    await books.database.owner.query<{ state: string }>(
      'select state from control.refunds where payment_id = $1 order by id',
      [paymentId],
    )
  ).map(({ state }) => state)
const callback = (providerPaymentId: string) =>
  till.routes().request(`/payments/webhooks/barion?paymentId=${providerPaymentId}`, { method: 'POST' })

describe('refunds to the source', () => {
  it('a refund debits the wallet, is sent, and appears in the statement', async () => {
    const { userId, paymentId, providerPaymentId } = await paid()
    expect(await refund(paymentId)).toMatchObject({ ok: true, state: 'succeeded' })
    expect([await till.money(userId), sentFor(paymentId), await inTransit()]).toEqual([3000n, 2000, 0n])
    await callback(providerPaymentId)
    expect(await till.statement(userId)).toEqual([
      { type: 'refund', amount: -2000, status: 'finished', refundedFt: 0 },
      { type: 'top-up', amount: 5000, status: 'finished', refundedFt: 2000 },
    ])
    expect(await till.paymentsOf(userId)).toMatchObject([{ state: 'settled', refunded_ft: 2000n }])
    expect(await till.unmatched(`payment_id = '${paymentId}'`)).toEqual([])
  })

  it('case 79, I8: 20 concurrent refunds never send more than came in', async () => {
    const { userId, paymentId } = await paid()
    const answers = await Promise.all(Array.from({ length: 20 }, () => refund(paymentId, { amountFt: 700 })))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(7)
    expect([await till.money(userId), sentFor(paymentId)]).toEqual([100n, 4900])
  })

  it('I4, T12: one key is one refund, concurrently and repeated, and is refused with another amount', async () => {
    const { paymentId } = await paid()
    const key = systemIds.next()
    const answers = await Promise.all(Array.from({ length: 10 }, () => refund(paymentId, { key })))
    expect(answers.some(({ ok }) => ok)).toBe(true)
    expect(await refund(paymentId, { key })).toMatchObject({ ok: true, state: 'succeeded' })
    expect(await refund(paymentId, { key, amountFt: 1 })).toEqual({ ok: false, code: 'IDEMPOTENCY_MISMATCH' })
    expect(sentFor(paymentId)).toBe(2000)
  })

  it('case 79: spent money is not refunded', async () => {
    const { userId, paymentId } = await paid(1500)
    await placeOrder(orderContext(books.database.db), {
      caller: callerOf(userId),
      requestId: 'r',
      idempotencyKey: systemIds.next(),
      request: { serviceId: shop.serviceId, packageId: shop.packageId, months: 1, name: 'S' },
    })
    expect(await refund(paymentId, { amountFt: 511 })).toEqual({ ok: false, code: 'INSUFFICIENT_BALANCE' })
    expect(await refund(paymentId, { amountFt: 510 })).toMatchObject({ ok: true })
  })

  it.each([0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 63, 5001])(
    'a refund of %d Ft of 5000 is refused',
    async (amountFt) => {
      const { userId, paymentId } = await paid()
      expect(await refund(paymentId, { amountFt })).toMatchObject({ ok: false })
      expect([await till.money(userId), sentFor(paymentId)]).toEqual([5000n, 0])
    },
  )

  it('an open and an unknown payment are refused', async () => {
    const { paymentId } = await till.open({ method: 'barion' })
    expect(await refund(paymentId)).toEqual({ ok: false, code: 'NOT_SETTLED' })
    expect(await refund(systemIds.next())).toEqual({ ok: false, code: 'NOT_FOUND' })
  })

  it('while the provider is down the money waits, and the reconciler sends it', async () => {
    const { userId, paymentId } = await paid()
    books.rig.barion.set('down')
    expect(await refund(paymentId)).toMatchObject({ ok: true, state: 'requested' })
    expect([await till.money(userId), sentFor(paymentId), await inTransit()]).toEqual([3000n, 0, 2000n])
    books.rig.barion.set('nothing')
    await till.reconcileAt(START_MS + 3 * MINUTE)
    expect([await till.money(userId), sentFor(paymentId), await inTransit()]).toEqual([3000n, 2000, 0n])
    expect(await statesOf(paymentId)).toEqual(['succeeded'])
  })

  it('T12: a lost response does not send a refund twice', async () => {
    const { userId, paymentId } = await paid()
    books.rig.barion.set('lost answer')
    expect(sentFor(paymentId)).toBe(0)
    expect(await refund(paymentId)).toMatchObject({ ok: true, state: 'requested' })
    expect(sentFor(paymentId)).toBe(2000)
    books.rig.barion.set('nothing')
    for (const minutes of [3, 6, 9]) await till.reconcileAt(START_MS + minutes * MINUTE)
    expect([await till.money(userId), sentFor(paymentId)]).toEqual([3000n, 2000])
  })

  it('T12: of ten concurrent workers one calls the provider', async () => {
    const { paymentId } = await paid()
    books.rig.barion.set('down')
    const begun = await refund(paymentId)
    books.rig.barion.set('nothing')
    let asked = 0
    const counting: PaymentProvider = {
      ...books.rig.provider,
      refund: (order) => {
        asked += 1
        return books.rig.provider.refund?.(order) ?? Promise.reject(new Error('no refunds'))
      },
    }
    const other = tillOf(
      () => books.database,
      () => [counting],
    )
    const later = other.context({ now: () => START_MS + 3 * MINUTE })
    const refundId = begun.ok ? begun.refundId : ''
    await Promise.all(Array.from({ length: 10 }, () => carryOutRefund(later, refundId)))
    expect([asked, sentFor(paymentId)]).toEqual([1, 2000])
  })

  it('a refund refused by the provider returns to the wallet, once', async () => {
    const { userId, paymentId, providerPaymentId } = await paid()
    books.rig.barion.tamper(providerPaymentId, { Currency: 'HUF' })
    const payment = books.rig.barion.payments().find(({ PaymentId }) => PaymentId === providerPaymentId)
    Object.assign(payment ?? {}, { Total: 100 })
    expect(await refund(paymentId)).toMatchObject({ ok: true, state: 'failed' })
    await till.reconcileAt(START_MS + 60 * MINUTE)
    expect([await till.money(userId), await inTransit()]).toEqual([5000n, 0n])
    expect(await till.statement(userId)).toMatchObject([{ type: 'refund', status: 'failed' }, { refundedFt: 0 }])
  })

  it('money refunded without us is taken from the balance', async () => {
    const { userId, paymentId, providerPaymentId } = await paid()
    await books.rig.provider.refund?.({
      paymentId,
      providerPaymentId,
      refundId: 'by hand, at Barion',
      amount: { minor: 1200n, currency: 'HUF' },
    })
    await callback(providerPaymentId)
    expect(await till.unmatched(`payment_id = '${paymentId}'`)).toEqual([])
    expect(await till.money(userId)).toBe(3800n)
    expect(await refund(paymentId, { amountFt: 3801 })).toEqual({ ok: false, code: 'MORE_THAN_PAID' })
  })
})

describe('I9: an interrupted refund', () => {
  it.each(REFUND_FAULTS)('a refund interrupted at %s is carried out once in the end', async (fault) => {
    const { userId, paymentId } = await paid()
    const key = systemIds.next()
    const faults: FaultPoint = (point) => (point === fault ? Promise.reject(new Error(point)) : Promise.resolve())
    await expect(refund(paymentId, { key, faults })).rejects.toThrow(fault)
    const written = (await statesOf(paymentId)).length
    expect(await till.money(userId)).toBe(written === 0 ? 5000n : 3000n)
    await till.reconcileAt(START_MS + 3 * MINUTE)
    expect(await refund(paymentId, { key })).toMatchObject({ ok: true, state: 'succeeded' })
    expect([await till.money(userId), sentFor(paymentId), await inTransit()]).toEqual([3000n, 2000, 0n])
    expect(await statesOf(paymentId)).toEqual(['succeeded'])
  })

  it.each(REFUND_FAULTS)('a refund paused at %s, while another worker repeats it, is sent once', async (fault) => {
    const { userId, paymentId } = await paid()
    const key = systemIds.next()
    let free = () => {}
    let arrived = () => {}
    const paused = new Promise<void>((resolve) => (free = resolve))
    const there = new Promise<void>((resolve) => (arrived = resolve))
    const faults: FaultPoint = (point) => {
      if (point !== fault) return Promise.resolve()
      arrived()
      return paused
    }
    const first = refund(paymentId, { key, faults })
    await there
    const other = refund(paymentId, { key })
    // Inside the transaction the row is locked: the other waits for it or is told so.
    const second = await Promise.race([other, new Promise((resolve) => setTimeout(resolve, 200, 'waits'))])
    free()
    await Promise.all([first, other])
    expect(['waits', true, false]).toContain(second === 'waits' ? second : (second as { ok: boolean }).ok)
    await till.reconcileAt(START_MS + 10 * MINUTE)
    expect([await till.money(userId), sentFor(paymentId), await inTransit()]).toEqual([3000n, 2000, 0n])
  })
})
