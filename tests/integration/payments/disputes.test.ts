import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readDebtFt } from '../../../control-plane/money/wallet/debt.ts'
import { closeDispute } from '../../../control-plane/money/payments/close-dispute.ts'
import { receiveHint } from '../../../control-plane/money/payments/receive-hint.ts'
import { refundPayment } from '../../../control-plane/money/payments/refund-payment.ts'
import { checkPayment } from '../../../control-plane/money/payments/settle-payment.ts'
import { paymentRoutes } from '../../factories/payment-routes.ts'
import type { PaymentProvider } from '../../../control-plane/money/payments/payment-provider.ts'
import { systemIds } from '#platform/ids.ts'
import type { PaypalEmulator } from '../../emulators/paypal/paypal-server.ts'
import type { StripeEmulator } from '../../emulators/stripe/stripe-server.ts'
import { paypalRig, stripeRig } from '../../factories/card-providers.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { barionRig, type BarionRig } from '../../factories/provider-rigs.ts'
import { shopDatabase } from '../../factories/shop.ts'
import { START_MS, tillOf } from '../../factories/till-of.ts'
import { openApiContract, problemsOf } from '../../support/published-schemas.ts'

const contract = openApiContract('paypal-customer_disputes_v1.json')
const now = () => START_MS
let database: ControlDatabase
let rig: BarionRig
let stripe: { emulator: StripeEmulator; provider: PaymentProvider }
let paypal: { emulator: PaypalEmulator; provider: PaymentProvider }
beforeAll(async () => {
  database = await shopDatabase(40)
  rig = await barionRig()
})
beforeEach(async () => {
  stripe = await stripeRig({ now })
  paypal = await paypalRig({ now })
})
afterEach(async () => {
  await Promise.all([stripe.emulator.close(), paypal.emulator.close()])
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(async () => {
  await rig.barion.close()
  await database.close()
})

const till = tillOf(
  () => database,
  () => [rig.provider, stripe.provider, paypal.provider],
)
const look = (paymentId: string) => checkPayment(till.context(), paymentId, { evenSettled: true })
async function deliver(provider: string, message: { body: string; headers: Readonly<Record<string, string>> }) {
  const at = till.context()
  const routes = paymentRoutes({ context: at, providers: at.providers, onHint: (hint) => receiveHint(at, hint) })
  const { body, headers } = message
  return (await routes.request(`/payments/webhooks/${provider}`, { method: 'POST', body, headers })).status
}
const noticesOf = (userId: string) =>
  database.owner.query<{ text: string; data: object }>(
    `select text, data from control.notifications where user_id = $1 and text <> 'topup.successful' order by created_at, id`,
    [userId],
  )

describe('disputes at Stripe', () => {
  async function paid() {
    const opened = await till.open({ method: 'stripe', amount: 5000 })
    stripe.emulator.books.confirm(opened.providerPaymentId, 'pm_card_visa', 'http://site.test/back')
    await look(opened.paymentId)
    return opened
  }
  const tellAll = async () => {
    for (const event of stripe.emulator.events)
      expect(await deliver('stripe', stripe.emulator.message(event))).toBe(200)
  }

  it('a dispute about a part of a payment takes only that part', async () => {
    const { userId, providerPaymentId } = await paid()
    stripe.emulator.books.dispute(providerPaymentId, 'needs_response', { amount: 120_000 })
    await tellAll()
    expect(await till.money(userId)).toBe(3800n)
    expect(await noticesOf(userId)).toEqual([{ text: 'payment.taken-back', data: { amount: 1200 } }])
    stripe.emulator.books.dispute(providerPaymentId, 'won')
    await tellAll()
    await tellAll()
    expect(await till.money(userId)).toBe(5000n)
  })

  it('two disputes about two parts take both, and a won one gives its own back', async () => {
    const { userId, paymentId, providerPaymentId } = await paid()
    stripe.emulator.books.dispute(providerPaymentId, 'needs_response', { amount: 120_000, name: 'a' })
    stripe.emulator.books.dispute(providerPaymentId, 'needs_response', { amount: 300_000, name: 'b' })
    await look(paymentId)
    expect(await till.money(userId)).toBe(800n)
    stripe.emulator.books.dispute(providerPaymentId, 'won', { name: 'a' })
    stripe.emulator.books.dispute(providerPaymentId, 'lost', { name: 'b' })
    await Promise.all(Array.from({ length: 10 }, () => look(paymentId)))
    expect(await till.money(userId)).toBe(2000n)
    expect(await till.paymentsOf(userId)).toMatchObject([{ dispute: 'lost' }])
  })

  it('disputes and refunds together never take more than came in', async () => {
    const { userId, paymentId, providerPaymentId } = await paid()
    const command = { staffId: systemIds.next(), paymentId, amountFt: 4000, reason: 'Asked for it.', requestId: 'r' }
    expect(await refundPayment(till.context(), { ...command, idempotencyKey: 'k' })).toMatchObject({ ok: true })
    stripe.emulator.books.dispute(providerPaymentId, 'needs_response')
    await look(paymentId)
    expect(await till.money(userId)).toBe(0n)
    const rows = await database.owner.query(
      'select amount_ft, debt_ft from control.chargebacks where payment_id = $1',
      [paymentId],
    )
    expect(rows).toEqual([{ amount_ft: 1000n, debt_ft: 0n }])
  })

  it('a mere inquiry takes nothing', async () => {
    const { userId, paymentId, providerPaymentId } = await paid()
    stripe.emulator.books.dispute(providerPaymentId, 'warning_needs_response')
    await look(paymentId)
    expect(await till.money(userId)).toBe(5000n)
  })

  it('a refund that the bank sends back after it was sent returns the money once', async () => {
    const { userId, paymentId } = await paid()
    const command = { staffId: systemIds.next(), paymentId, amountFt: 2000, reason: 'Asked for it.', requestId: 'r' }
    await refundPayment(till.context(), { ...command, idempotencyKey: 'k' })
    expect(await till.money(userId)).toBe(3000n)
    const [refund] = stripe.emulator.books.refunds.values()
    stripe.emulator.books.failRefund(refund?.id ?? '')
    await tellAll()
    await Promise.all(Array.from({ length: 10 }, () => look(paymentId)))
    expect(await till.money(userId)).toBe(5000n)
    expect(await till.paymentsOf(userId)).toMatchObject([{ refunded_ft: 0n }])
    expect((await noticesOf(userId)).map(({ text }) => text)).toEqual(['refund.sent', 'refund.failed'])
  })
})

describe('disputes at PayPal', () => {
  async function paid() {
    const opened = await till.open({ method: 'paypal', amount: 5000 })
    paypal.emulator.books.approve(opened.providerPaymentId, 'paid')
    await look(opened.paymentId)
    const capture = [...paypal.emulator.books.captures.keys()].at(-1) ?? ''
    return { ...opened, capture }
  }
  const tellAll = async () => {
    for (const event of paypal.emulator.events)
      expect(await deliver('paypal', paypal.emulator.message(event))).toBe(200)
  }

  it.each([
    ['RESOLVED_BUYER_FAVOUR', 3800n, 'lost'],
    ['RESOLVED_SELLER_FAVOUR', 5000n, 'won'],
    ['NONE', 3800n, 'open'],
  ])('a dispute takes its own amount, and with %s leaves %i Ft', async (outcome, left, dispute) => {
    const { userId, capture } = await paid()
    const { dispute_id: id } = paypal.emulator.books.dispute(capture, '1200')
    await tellAll()
    expect(await till.money(userId)).toBe(3800n)
    expect(await till.paymentsOf(userId)).toMatchObject([{ dispute: 'open' }])
    paypal.emulator.books.resolve(id, outcome)
    await tellAll()
    await tellAll()
    expect(await till.money(userId)).toBe(left)
    expect(await till.paymentsOf(userId)).toMatchObject([{ dispute }])
    for (const { answer, operation } of paypal.emulator.calls) {
      if (operation === 'disputes.get') expect(problemsOf(contract, 'dispute', answer)).toEqual([])
      if (operation === 'disputes.list') expect(problemsOf(contract, 'dispute_search', answer)).toEqual([])
    }
  })

  it('a lost dispute carried out as a refund of its amount is one movement of money', async () => {
    const { userId, paymentId, capture } = await paid()
    const { dispute_id: id } = paypal.emulator.books.dispute(capture, '1200')
    await look(paymentId)
    paypal.emulator.books.resolve(id, 'RESOLVED_BUYER_FAVOUR')
    paypal.emulator.books.refund(capture, { amount: { currency_code: 'HUF', value: '1200' } })
    await tellAll()
    expect(await till.money(userId)).toBe(3800n)
  })

  it.each([
    ['4000', 5, 1000n],
    ['0', 3, 5000n],
  ])('a dispute that ends with %s Ft refunded of its 5000 takes only those', async (refunded, postings, left) => {
    const { userId, paymentId, capture } = await paid()
    const { dispute_id: id } = paypal.emulator.books.dispute(capture)
    await tellAll()
    expect(await till.money(userId)).toBe(0n)
    paypal.emulator.books.resolve(id, 'RESOLVED_BUYER_FAVOUR', refunded)
    if (refunded !== '0') paypal.emulator.books.refund(capture, { amount: { currency_code: 'HUF', value: refunded } })
    await Promise.all(Array.from({ length: 5 }, () => look(paymentId)))
    await tellAll()
    expect(await till.money(userId)).toBe(left)
    expect(await till.paymentsOf(userId)).toMatchObject([{ dispute: 'lost' }])
    expect(await till.postings('chargeback', paymentId)).toHaveLength(postings)
    for (const { answer, operation } of paypal.emulator.calls)
      if (operation === 'disputes.get') expect(problemsOf(contract, 'dispute', answer)).toEqual([])
  })

  it('a dispute that ends with a part, after its refund was seen, is that refund', async () => {
    const { userId, paymentId, capture } = await paid()
    const { dispute_id: id } = paypal.emulator.books.dispute(capture, '2500')
    await look(paymentId)
    paypal.emulator.books.refund(capture, { amount: { currency_code: 'HUF', value: '1000' } })
    await look(paymentId)
    expect(await till.money(userId)).toBe(1500n)
    paypal.emulator.books.resolve(id, 'RESOLVED_BUYER_FAVOUR', '1000')
    await look(paymentId)
    await look(paymentId)
    expect(await till.money(userId)).toBe(4000n)
  })

  it('without permission to read disputes payments stay as they are', async () => {
    paypal.emulator.set('no disputes')
    const { userId, paymentId, capture } = await paid()
    expect(await till.money(userId)).toBe(5000n)
    paypal.emulator.books.dispute(capture)
    expect(await look(paymentId)).toBe('settled')
    expect(await till.money(userId)).toBe(5000n)
  })

  it('our pending full refund is taken once if PayPal lists none', async () => {
    const { userId, paymentId } = await paid()
    const command = { staffId: systemIds.next(), paymentId, amountFt: 5000, reason: 'Asked for it.', requestId: 'r' }
    paypal.emulator.set('lost answer')
    const sent = await refundPayment(till.context(), { ...command, idempotencyKey: 'k' })
    expect(sent).toMatchObject({ ok: true, state: 'requested' })
    paypal.emulator.set('no refunds')
    await look(paymentId)
    await look(paymentId)
    const debt = () => readDebtFt(till.context().ledgerOn(database.db), userId)
    expect([await till.money(userId), await debt()]).toEqual([0n, 0n])
    await till.reconcileAt(START_MS + 600_000)
    await look(paymentId)
    expect([await till.money(userId), await debt()]).toEqual([0n, 0n])
  })

  it('a refund made at PayPal is taken, and one of ours that fails later is returned', async () => {
    const { userId, paymentId, capture } = await paid()
    const command = { staffId: systemIds.next(), paymentId, amountFt: 2000, reason: 'Asked for it.', requestId: 'r' }
    await refundPayment(till.context(), { ...command, idempotencyKey: 'k' })
    const [ours] = paypal.emulator.books.refunds.keys()
    paypal.emulator.books.refund(capture, { amount: { currency_code: 'HUF', value: '500' } })
    await tellAll()
    await tellAll()
    expect(await till.money(userId)).toBe(2500n)
    paypal.emulator.books.failRefund(ours ?? '')
    await tellAll()
    await tellAll()
    expect(await till.money(userId)).toBe(4500n)
  })
})

describe('disputes reported only to staff', () => {
  async function paid() {
    const opened = await till.open({ method: 'barion', amount: 5000 })
    rig.barion.decide(opened.providerPaymentId, 'succeed')
    await look(opened.paymentId)
    return opened
  }
  const close = (paymentId: string, outcome: 'won' | 'lost', more: { amountFt?: number; key?: string } = {}) =>
    closeDispute(till.context(), {
      staffId: systemIds.next(),
      paymentId,
      outcome,
      reason: 'Barion wrote so.',
      requestId: 'r',
      idempotencyKey: more.key ?? systemIds.next(),
      ...(more.amountFt === undefined ? {} : { amountFt: more.amountFt }),
    })

  it('a lost dispute takes all of it, or staff’s amount, once', async () => {
    const [whole, part] = [await paid(), await paid()]
    expect(await close(whole.paymentId, 'lost')).toEqual({ ok: true, dispute: 'lost', amountFt: 5000 })
    expect(await close(part.paymentId, 'lost', { amountFt: 1200 })).toMatchObject({ ok: true, amountFt: 1200 })
    for (const { paymentId } of [whole, part]) await look(paymentId)
    expect([await till.money(whole.userId), await till.money(part.userId)]).toEqual([0n, 3800n])
    expect(await till.paymentsOf(part.userId)).toMatchObject([{ dispute: 'lost' }])
    expect(await close(part.paymentId, 'lost')).toEqual({ ok: false, code: 'INVALID_STATE' })
  })

  it('a dispute won after all is given back, and stays won', async () => {
    const { userId, paymentId } = await paid()
    await close(paymentId, 'lost')
    expect(await close(paymentId, 'won')).toEqual({ ok: true, dispute: 'won', amountFt: 5000 })
    await look(paymentId)
    expect(await till.money(userId)).toBe(5000n)
    for (const outcome of ['won', 'lost'] as const)
      expect(await close(paymentId, outcome)).toEqual({ ok: false, code: 'INVALID_STATE' })
  })

  it('I4: one key is one decision, concurrently and repeated', async () => {
    const { userId, paymentId } = await paid()
    const staffId = systemIds.next()
    const command = { staffId, paymentId, outcome: 'lost', amountFt: 1200, reason: 'Barion wrote so.' } as const
    const once = () => closeDispute(till.context(), { ...command, requestId: 'r', idempotencyKey: 'key' })
    await Promise.all(Array.from({ length: 10 }, once))
    expect(await once()).toEqual({ ok: true, dispute: 'lost', amountFt: 1200 })
    expect(await till.money(userId)).toBe(3800n)
  })

  it('staff’s record is refused if the provider reports disputes itself, without a payment, and for impossible amounts', async () => {
    const { paymentId } = await till.open({ method: 'stripe', amount: 5000 })
    expect(await close(paymentId, 'lost')).toEqual({ ok: false, code: 'INVALID_STATE' })
    const open = await till.open({ method: 'barion' })
    expect(await close(open.paymentId, 'lost')).toEqual({ ok: false, code: 'INVALID_STATE' })
    expect(await close(systemIds.next(), 'lost')).toEqual({ ok: false, code: 'NOT_FOUND' })
    const { userId, paymentId: settled } = await paid()
    expect(await close(settled, 'won')).toEqual({ ok: false, code: 'INVALID_STATE' })
    for (const amountFt of [0, -1, 0.5, 5001, Number.NaN, 2 ** 63])
      expect(await close(settled, 'lost', { amountFt })).toEqual({ ok: false, code: 'AMOUNT_INVALID' })
    expect(await till.money(userId)).toBe(5000n)
  })
})
