import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { receiveHint } from '../../../control-plane/money/payments/receive-hint.ts'
import { checkPayment } from '../../../control-plane/money/payments/settle-payment.ts'
import { startTopUp } from '../../../control-plane/money/payments/start-top-up.ts'
import { readStatement } from '../../../control-plane/money/wallet/statement.ts'
import { paymentRoutes } from '../../factories/payment-routes.ts'
import { paypalProvider } from '../../../control-plane/money/payments/providers/paypal/paypal-provider.ts'
import type { PaymentProvider } from '../../../control-plane/money/payments/payment-provider.ts'
import { systemIds } from '#platform/ids.ts'
import type { PaypalConduct } from '../../emulators/paypal/paypal-books.ts'
import { refusal } from '../../emulators/paypal/paypal-refusals.ts'
import type { PaypalEmulator } from '../../emulators/paypal/paypal-server.ts'
import { onlyProvider, PATIENCE_MS, PAYPAL_KEYS, paypalRig, stateInEveryOrder } from '../../factories/card-providers.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { balanceOf, shopDatabase } from '../../factories/shop.ts'
import { paymentContext, topUpCommand } from '../../factories/till.ts'
import { openApiContract, problemsOf } from '../../support/published-schemas.ts'

const NOW = Date.UTC(2026, 5, 1, 12)
let clockMs = NOW
const now = () => clockMs
const contracts = {
  orders: openApiContract('paypal-checkout_orders_v2.json'),
  payments: openApiContract('paypal-payments_payment_v2.json'),
  webhooks: openApiContract('paypal-notifications_webhooks_v1.json'),
}
let database: ControlDatabase
let emulator: PaypalEmulator
let provider: PaymentProvider
beforeAll(async () => {
  database = await shopDatabase(40)
})
beforeEach(async () => {
  clockMs = NOW
  ;({ emulator, provider } = await paypalRig({ now }))
})
afterEach(async () => {
  await emulator.close()
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
  expect(sentOutOfContract()).toEqual([])
})
afterAll(() => database.close())

/** The fields that we sent and that the published contract does not have. */
function sentOutOfContract(): string[] {
  return emulator.calls.flatMap(({ operation, body }) => {
    const sent: unknown = body === '' || operation === 'token' ? {} : JSON.parse(body)
    if (operation === 'orders.create') return problemsOf(contracts.orders, 'order_request', sent)
    if (operation === 'orders.capture') return problemsOf(contracts.orders, 'order_capture_request', sent)
    if (operation === 'captures.refund') return problemsOf(contracts.payments, 'refund_request', sent)
    if (operation === 'verify-webhook-signature.post')
      return problemsOf(contracts.webhooks, 'verify_webhook_signature', sent)
    return operation === 'none' ? ['a call that does not exist'] : []
  })
}

const context = () => paymentContext(database.db, { now, providers: onlyProvider(provider) })
const command = (user: string, amount = 1990) => {
  const wanted = topUpCommand(user, { amount })
  return { ...wanted, request: { ...wanted.request, method: 'paypal' } }
}
async function started(user: string, amount = 1990) {
  const result = await startTopUp(context(), command(user, amount))
  if (!result.ok) throw new Error(result.code)
  const [payment] = await database.owner.query<{ id: string; provider_payment_id: string }>(
    'select id, provider_payment_id from control.payments where user_id = $1',
    [user],
  )
  if (!payment) throw new Error('no payment')
  return { ...result.answer, paymentId: payment.id, orderId: payment.provider_payment_id }
}
const money = async (user: string) => (await balanceOf(database.db, user)).money
const statusOf = async (user: string) =>
  (await readStatement(database.db, { userId: user })).items.map((line) => line.status)
const problemOf = async (paymentId: string) =>
  (
    await database.owner.query<{ problem: string | null }>('select problem from control.payments where id = $1', [
      paymentId,
    ])
  )[0]?.problem
const callsOf = (operation: string) => emulator.calls.filter((call) => call.operation === operation)
const captureIdOf = () => [...emulator.books.captures.keys()][0] ?? ''

/** The webhook as it comes to the public listener. */
async function deliver(message: { body: string; headers: Readonly<Record<string, string>> }): Promise<number> {
  const base = context()
  const routes = paymentRoutes({ context: base, providers: base.providers, onHint: (hint) => receiveHint(base, hint) })
  const { body, headers } = message
  return (await routes.request('/payments/webhooks/paypal', { method: 'POST', body, headers })).status
}

describe('paying with PayPal', () => {
  it('T14: 1 990 Ft are requested as "1990", and credited once captured', async () => {
    const user = systemIds.next()
    const { redirectUrl, orderId, paymentId } = await started(user)
    expect(redirectUrl).toBe(`${emulator.url}/checkoutnow?token=${orderId}`)
    const [unit] = emulator.books.find(orderId).purchase_units
    expect(unit).toMatchObject({ amount: { currency_code: 'HUF', value: '1990' }, custom_id: paymentId })
    const back = emulator.books.approve(orderId, 'paid')
    expect(back.searchParams.get('transaction')).toBe(paymentId)
    expect(await checkPayment(context(), paymentId)).toBe('settled')
    expect(await money(user)).toBe(1990n)
  })

  it('the event alone captures a payment when the customer never returns', async () => {
    const user = systemIds.next()
    const { orderId } = await started(user)
    emulator.books.approve(orderId, 'paid')
    for (const event of emulator.events) expect(await deliver(emulator.message(event))).toBe(200)
    for (const event of emulator.events) expect(await deliver(emulator.message(event))).toBe(200)
    expect(await money(user)).toBe(1990n)
    expect(callsOf('orders.capture')).toHaveLength(1)
  })

  it('an open payment waits for the customer, and a cancellation leaves it open', async () => {
    const user = systemIds.next()
    const { orderId, paymentId } = await started(user)
    expect(emulator.books.cancel(orderId).searchParams.get('result')).toBe('cancelled')
    expect(await checkPayment(context(), paymentId)).toBe('pending')
    expect(callsOf('orders.capture')).toHaveLength(0)
  })
})

describe('special cases of PayPal', () => {
  it.each<[PaypalConduct, string, string]>([
    ['pending', 'pending', 'processing'],
    ['declined', 'failed', 'failed'],
    ['instrument declined', 'failed', 'failed'],
  ])('T13: a capture that is %s credits nothing', async (conduct, state, status) => {
    const user = systemIds.next()
    const { orderId, paymentId } = await started(user)
    emulator.books.approve(orderId, conduct)
    expect(await checkPayment(context(), paymentId)).toBe(state)
    expect(await money(user)).toBe(0n)
    expect(await statusOf(user)).toEqual([status])
  })

  it('T13: the top-up stays open when PayPal reports at the capture that nobody has approved', async () => {
    const user = systemIds.next()
    const { orderId, paymentId } = await started(user)
    emulator.books.approve(orderId, 'paid')
    // The approval is withdrawn between our look and our capture.
    emulator.books.capture = () => {
      emulator.books.find(orderId).status = 'PAYER_ACTION_REQUIRED'
      throw refusal(422, 'ORDER_NOT_APPROVED')
    }
    expect(await checkPayment(context(), paymentId)).toBe('pending')
    expect(callsOf('orders.capture')).toMatchObject([{ status: 422 }])
    expect(await money(user)).toBe(0n)
  })

  it('T06: a payment with another card after a decline is credited once', async () => {
    const user = systemIds.next()
    const { orderId, paymentId } = await started(user)
    emulator.books.approve(orderId, 'instrument declined')
    expect(await checkPayment(context(), paymentId)).toBe('failed')
    emulator.books.approve(orderId, 'paid')
    expect(await checkPayment(context(), paymentId)).toBe('settled')
    expect(await money(user)).toBe(1990n)
  })

  it('a pending capture is settled once PayPal releases it', async () => {
    const user = systemIds.next()
    const { orderId, paymentId } = await started(user)
    emulator.books.approve(orderId, 'pending')
    await checkPayment(context(), paymentId)
    emulator.books.review(captureIdOf(), 'COMPLETED')
    const event = emulator.events.at(-1)
    if (!event) throw new Error('no event')
    expect(await deliver(emulator.message(event))).toBe(200)
    expect(await money(user)).toBe(1990n)
  })

  it('T07: every order of a refunded payment’s events has the same result', async () => {
    const user = systemIds.next()
    const { orderId } = await started(user)
    emulator.books.approve(orderId, 'pending')
    emulator.books.capture(orderId)
    emulator.books.review(captureIdOf(), 'COMPLETED')
    emulator.books.refund(captureIdOf(), { amount: { currency_code: 'HUF', value: '500' } })
    const events = [...emulator.events]
    expect(events.map(({ event_type: type }) => type)).toContain('PAYMENT.CAPTURE.REFUNDED')
    const deliverOne = (event: (typeof events)[number]) => deliver(emulator.message(event))
    const state = await stateInEveryOrder(database.owner, {
      events,
      deliver: deliverOne,
      providerPaymentId: orderId,
      numRuns: 12,
    })
    expect(state).toMatchObject({ state: 'settled', refunded_ft: 500n, dispute: 'none' })
  })

  it.each([
    ['another amount', { currency_code: 'HUF', value: '1000' }, 'AMOUNT_MISMATCH'],
    ['a fraction of a forint', { currency_code: 'HUF', value: '1990.50' }, 'AMOUNT_MISMATCH'],
    ['another currency', { currency_code: 'EUR', value: '1990' }, 'CURRENCY_MISMATCH'],
  ])('case 65, T09: %s credits nothing, and is not reported as failed', async (_what, amount, problem) => {
    const user = systemIds.next()
    const { orderId, paymentId } = await started(user)
    emulator.books.approve(orderId, 'paid')
    emulator.books.capture(orderId)
    emulator.books.findCapture(captureIdOf()).amount = amount
    await checkPayment(context(), paymentId)
    expect(await money(user)).toBe(0n)
    expect(await statusOf(user)).toEqual(['processing'])
    expect(await problemOf(paymentId)).toBe(problem)
  })

  it('T09: an order that names another payment is not captured', async () => {
    const user = systemIds.next()
    const { orderId, paymentId } = await started(user)
    emulator.books.approve(orderId, 'paid')
    Object.assign(emulator.books.find(orderId).purchase_units[0] ?? {}, { custom_id: systemIds.next() })
    await checkPayment(context(), paymentId)
    expect(callsOf('orders.capture')).toHaveLength(0)
    expect(await money(user)).toBe(0n)
  })

  it('T12: after lost responses there is one order and one capture', async () => {
    const user = systemIds.next()
    const wish = command(user)
    emulator.set('lost answer')
    await expect(startTopUp(context(), wish)).rejects.toMatchObject({ code: 'PROVIDER_FAILURE', retryable: true })
    emulator.set('nothing')
    expect((await startTopUp(context(), wish)).ok).toBe(true)
    expect(emulator.books.orders.size).toBe(1)
    expect(new Set(callsOf('orders.create').map(({ requestId }) => requestId)).size).toBe(1)
    const [order] = emulator.books.orders.values()
    const paymentId = order?.purchase_units[0]?.custom_id ?? ''
    emulator.books.approve(order?.id ?? '', 'paid')
    const looks = Array.from({ length: 8 }, () => checkPayment(context(), paymentId))
    await Promise.all(looks)
    expect(emulator.books.captures.size).toBe(1)
    expect(new Set(callsOf('orders.capture').map(({ requestId }) => requestId)).size).toBeLessThanOrEqual(1)
    expect(await money(user)).toBe(1990n)
  })

  it('T12: a capture with a lost response is found again', async () => {
    const user = systemIds.next()
    const { orderId, paymentId } = await started(user)
    emulator.books.approve(orderId, 'paid')
    emulator.set('lost answer')
    await expect(checkPayment(context(), paymentId)).rejects.toMatchObject({ retryable: true })
    emulator.set('nothing')
    emulator.pruneKeys()
    expect(await checkPayment(context(), paymentId)).toBe('settled')
    expect(emulator.books.captures.size).toBe(1)
    expect(await money(user)).toBe(1990n)
  })

  it('T12: a refund is sent once, however often and late it is requested', async () => {
    const user = systemIds.next()
    const { orderId, paymentId } = await started(user)
    emulator.books.approve(orderId, 'paid')
    await checkPayment(context(), paymentId)
    const order = { paymentId, providerPaymentId: orderId, refundId: systemIds.next(), amount: forints(990n) }
    const results = await Promise.all([provider.refund?.(order), provider.refund?.(order)])
    // After six hours the key is new.
    emulator.pruneKeys()
    results.push(await provider.refund?.(order))
    expect(emulator.books.refunds.size).toBe(1)
    const [refund] = emulator.books.refunds.values()
    expect(refund?.amount).toEqual({ currency_code: 'HUF', value: '990' })
    for (const result of results) expect(result).toMatchObject({ state: 'succeeded', providerRefundId: refund?.id })
    const tooMuch = { ...order, refundId: systemIds.next(), amount: forints(1990n) }
    expect(await provider.refund?.(tooMuch)).toMatchObject({ state: 'failed', failureCode: 'REFUND_AMOUNT_EXCEEDED' })
  })

  it('T17: an event unknown to PayPal is refused, and one without a signature is not verified', async () => {
    const user = systemIds.next()
    const { orderId } = await started(user)
    emulator.books.approve(orderId, 'paid')
    const [event] = emulator.events
    if (!event) throw new Error('no event')
    const { body, headers } = emulator.message(event)
    const { 'paypal-transmission-sig': _signature, ...unsigned } = headers
    const bad = [
      { body: body.replace('APPROVED', 'approved'), headers },
      { body: JSON.stringify(JSON.parse(body), null, 1), headers },
      { body, headers: { ...headers, 'paypal-transmission-id': 'b3bf4e7a-000099' } },
    ]
    for (const one of bad) expect(await deliver(one)).toBe(400)
    const asked = emulator.calls.length
    const formless = [
      { body, headers: unsigned },
      { body, headers: { ...headers, 'paypal-cert-url': 'https://paypal.com.evil.test/cert' } },
      { body, headers: { ...headers, 'paypal-cert-url': 'http://api.paypal.com/cert' } },
      { body: 'no json', headers },
      { body: '', headers },
    ]
    for (const one of formless) expect(await deliver(one)).toBe(400)
    expect(emulator.calls).toHaveLength(asked)
    expect(await money(user)).toBe(0n)
    expect(await deliver({ body, headers })).toBe(200)
    expect(await money(user)).toBe(1990n)
  })
})

describe('failures of PayPal', () => {
  it.each(['down', 'busy', 'not json', 'silent', 'cut'] as const)(
    'a call may be retried when PayPal is %s',
    async (fault) => {
      await emulator.close()
      ;({ emulator, provider } = await paypalRig({ now, timeoutMs: PATIENCE_MS }))
      emulator.set(fault)
      const looked = provider.fetchState({ paymentId: 'p', providerPaymentId: '0' })
      await expect(looked).rejects.toMatchObject({ code: 'PROVIDER_FAILURE', retryable: true })
    },
  )

  it('an event is not refused while PayPal cannot verify it', async () => {
    const { orderId } = await started(systemIds.next())
    emulator.books.approve(orderId, 'paid')
    const [event] = emulator.events
    if (!event) throw new Error('no event')
    emulator.set('down')
    const { body, headers } = emulator.message(event)
    await expect(provider.parseHint({ body, headers, query: {} })).rejects.toMatchObject({ retryable: true })
  })

  it('a token is reused while it is valid, and replaced when it was revoked', async () => {
    const { orderId, paymentId } = await started(systemIds.next())
    const look = () => provider.fetchState({ paymentId, providerPaymentId: orderId })
    await look()
    expect(callsOf('token')).toHaveLength(1)
    clockMs += 32_400_000
    await look()
    expect(callsOf('token')).toHaveLength(2)
    emulator.set('expired')
    await expect(look()).rejects.toMatchObject({ code: 'PROVIDER_FAILURE' })
    emulator.set('nothing')
    expect(await look()).toMatchObject({ state: 'pending' })
  })

  it('a wrong secret is not revealed', async () => {
    const settings = { ...PAYPAL_KEYS, clientSecret: 'wrong-canary', apiUrl: emulator.url }
    const failure: unknown = await paypalProvider({ clock: { now } }, settings)
      .fetchState({ paymentId: 'p', providerPaymentId: '0' })
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'PROVIDER_FAILURE', retryable: false })
    expect(`${String(failure)} ${JSON.stringify(failure)}`).not.toContain('canary')
  })

  it('a foreign order is unknown', async () => {
    expect(await provider.fetchState({ paymentId: 'p', providerPaymentId: '0' })).toBeNull()
  })
})
