import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { forints } from '#domain/billing/money.ts'
import { receiveHint } from '../../../control-plane/money/payments/receive-hint.ts'
import { checkPayment } from '../../../control-plane/money/payments/settle-payment.ts'
import { startTopUp } from '../../../control-plane/money/payments/start-top-up.ts'
import { readStatement } from '../../../control-plane/money/wallet/statement.ts'
import { paymentRoutes } from '../../factories/payment-routes.ts'
import type { PaymentProvider } from '../../../control-plane/money/payments/payment-provider.ts'
import { stripeProvider } from '../../../control-plane/money/payments/providers/stripe/stripe-provider.ts'
import { systemIds } from '#platform/ids.ts'
import type { StripeEmulator } from '../../emulators/stripe/stripe-server.ts'
import { onlyProvider, PATIENCE_MS, STRIPE_KEYS, stripeRig, stateInEveryOrder } from '../../factories/card-providers.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { balanceOf, shopDatabase } from '../../factories/shop.ts'
import { paymentContext, topUpCommand } from '../../factories/till.ts'

const NOW = Date.UTC(2026, 5, 1, 12)
const now = () => NOW
let database: ControlDatabase
let emulator: StripeEmulator
let provider: PaymentProvider
beforeAll(async () => {
  database = await shopDatabase(40)
})
beforeEach(async () => {
  ;({ emulator, provider } = await stripeRig({ now }))
})
afterEach(async () => {
  await emulator.close()
  expect(await database.owner.query('select * from control.ledger_violations')).toEqual([])
})
afterAll(() => database.close())

const context = () => paymentContext(database.db, { now, providers: onlyProvider(provider) })
const command = (user: string, amount = 1990) => {
  const wanted = topUpCommand(user, { amount })
  return { ...wanted, request: { ...wanted.request, method: 'stripe' } }
}
async function started(user: string, amount = 1990) {
  const result = await startTopUp(context(), command(user, amount))
  if (!result.ok) throw new Error(result.code)
  const [payment] = await database.owner.query<{ id: string; provider_payment_id: string }>(
    'select id, provider_payment_id from control.payments where user_id = $1',
    [user],
  )
  if (!payment) throw new Error('no payment')
  return { ...result.answer, paymentId: payment.id, intentId: payment.provider_payment_id }
}
const pay = (intentId: string, method: string) => {
  try {
    return emulator.books.confirm(intentId, method, 'http://site.test/back')
  } catch {
    // A decline is an error to whoever confirms.
    return undefined
  }
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

/** The webhook as it comes to the public listener. */
async function deliver(message: { body: string; headers: Readonly<Record<string, string>> }): Promise<number> {
  const base = context()
  const routes = paymentRoutes({ context: base, providers: base.providers, onHint: (hint) => receiveHint(base, hint) })
  const { body, headers } = message
  return (await routes.request('/payments/webhooks/stripe', { method: 'POST', body, headers })).status
}
const deliverAll = async () => {
  for (const event of emulator.events) expect(await deliver(emulator.message(event))).toBe(200)
}

describe('paying by card', () => {
  it('T14: 1 990 Ft are charged as 199000, and credited as 1 990 Ft', async () => {
    const user = systemIds.next()
    const { intentId, paymentId, redirectUrl } = await started(user)
    expect(redirectUrl).toBe(`http://site.test/dashboard/balance/card?transaction=${paymentId}`)
    expect(emulator.calls[0]?.fields).toMatchObject({
      amount: '199000',
      currency: 'huf',
      'metadata[payment_id]': paymentId,
    })
    pay(intentId, 'pm_card_visa')
    await deliverAll()
    expect(await money(user)).toBe(1990n)
    expect(await statusOf(user)).toEqual(['finished'])
  })

  it('an intent’s secret is returned again while it can be paid, and never stored', async () => {
    const user = systemIds.next()
    const { intentId, paymentId } = await started(user)
    const secret = emulator.books.find(intentId).client_secret ?? ''
    const step = {
      kind: 'page',
      path: '/dashboard/balance/card',
      parameters: { publishableKey: STRIPE_KEYS.publishableKey, scriptUrl: emulator.scriptUrl },
      secret,
    }
    const ref = { paymentId, providerPaymentId: intentId }
    expect(await provider.resume?.(ref)).toEqual(step)
    const rows = await database.owner.query<{ line: string }>('select p::text as line from control.payments p')
    expect(rows.filter(({ line }) => line.includes(secret))).toEqual([])
    pay(intentId, 'pm_card_visa')
    expect(await provider.resume?.(ref)).toBeNull()
  })

  it('a payment waits for 3-D Secure, and for a slow bank', async () => {
    const user = systemIds.next()
    const { intentId, paymentId } = await started(user)
    pay(intentId, 'pm_card_authenticationRequired')
    expect(await checkPayment(context(), paymentId)).toBe('requires_action')
    const [challenge = ''] = [...emulator.books.challenges.keys()]
    emulator.books.answerChallenge(challenge, false)
    expect(await checkPayment(context(), paymentId)).toBe('failed')
    pay(intentId, 'pm_usBankAccount_processing')
    await checkPayment(context(), paymentId)
    expect(await money(user)).toBe(0n)
    emulator.books.finish(intentId, 'paid')
    expect(await checkPayment(context(), paymentId)).toBe('settled')
    expect(await money(user)).toBe(1990n)
  })
})

describe('special cases of Stripe', () => {
  it('T06: an intent that was declined and then paid with another card is credited once', async () => {
    const user = systemIds.next()
    const { intentId, paymentId } = await started(user)
    pay(intentId, 'pm_card_chargeDeclined')
    await deliverAll()
    expect(await statusOf(user)).toEqual(['failed'])
    expect(await provider.resume?.({ paymentId, providerPaymentId: intentId })).not.toBeNull()
    pay(intentId, 'pm_card_visa')
    await deliverAll()
    await deliverAll()
    expect(await money(user)).toBe(1990n)
    expect(await statusOf(user)).toEqual(['finished'])
  })

  it('T07: every order of a refunded payment’s events has the same result', async () => {
    const user = systemIds.next()
    const { intentId } = await started(user)
    pay(intentId, 'pm_card_chargeDeclined')
    pay(intentId, 'pm_usBankAccount_processing')
    emulator.books.finish(intentId, 'paid')
    emulator.books.refund(intentId, { amount: 50_000, metadata: {} })
    const events = [...emulator.events]
    const deliverOne = (event: (typeof events)[number]) => deliver(emulator.message(event))
    const state = await stateInEveryOrder(database.owner, {
      events,
      deliver: deliverOne,
      providerPaymentId: intentId,
      numRuns: 24,
    })
    expect(state).toMatchObject({ state: 'settled', refunded_ft: 500n, dispute: 'none' })
  })

  it.each([
    ['another amount', { amount: 100_000, amount_received: 100_000 }, 'AMOUNT_MISMATCH'],
    ['a fraction of a forint', { amount: 199_050, amount_received: 199_050 }, 'AMOUNT_MISMATCH'],
    ['another currency', { currency: 'sek' }, 'CURRENCY_MISMATCH'],
    ['another reference', { metadata: { payment_id: 'x' } }, 'REFERENCE_MISMATCH'],
  ])('case 65, T09: %s credits nothing, and is not reported as failed', async (_what, changes, problem) => {
    const user = systemIds.next()
    const { intentId, paymentId } = await started(user)
    pay(intentId, 'pm_card_visa')
    Object.assign(emulator.books.find(intentId), changes)
    await deliverAll()
    expect(await money(user)).toBe(0n)
    expect(await statusOf(user)).toEqual(['processing'])
    expect(await problemOf(paymentId)).toBe(problem)
  })

  it('T12: after a lost response the card is charged once, because the repetition has the same key', async () => {
    const user = systemIds.next()
    const wish = command(user)
    emulator.set('lost answer')
    await expect(startTopUp(context(), wish)).rejects.toMatchObject({ code: 'PROVIDER_FAILURE', retryable: true })
    emulator.set('nothing')
    const again = await startTopUp(context(), wish)
    expect(again.ok).toBe(true)
    expect(emulator.books.intents.size).toBe(1)
    const keys = emulator.calls.filter(({ path }) => path === '/v1/payment_intents').map(({ key }) => key)
    expect(keys.length).toBeGreaterThan(2)
    expect(new Set(keys).size).toBe(1)
  })

  it('T12: a refund is sent once, however often and late it is requested', async () => {
    const user = systemIds.next()
    const { intentId, paymentId } = await started(user)
    pay(intentId, 'pm_card_visa')
    const order = { paymentId, providerPaymentId: intentId, refundId: systemIds.next(), amount: forints(990n) }
    emulator.set('lost answer')
    await expect(provider.refund?.(order)).rejects.toMatchObject({ retryable: true })
    emulator.set('nothing')
    const results = [await provider.refund?.(order), await provider.refund?.(order)]
    // After a day the key is new.
    emulator.pruneKeys()
    results.push(await provider.refund?.(order))
    expect(emulator.books.refunds.size).toBe(1)
    const [refund] = emulator.books.refunds.values()
    expect(refund?.amount).toBe(99_000)
    for (const result of results) expect(result).toMatchObject({ state: 'succeeded', providerRefundId: refund?.id })
  })

  it('T11: old, future, changed, unsigned and foreign events are refused', async () => {
    const user = systemIds.next()
    const { intentId } = await started(user)
    pay(intentId, 'pm_card_visa')
    const event = emulator.events.at(-1)
    if (!event) throw new Error('no event')
    const message = emulator.message(event)
    const { 'stripe-signature': signature = '', ...unsigned } = message.headers
    const bad = [
      emulator.message(event, { ageS: 301 }),
      emulator.message(event, { ageS: -301 }),
      emulator.message(event, { secrets: ['whsec_somebody_else'] }),
      { ...message, body: message.body.replace('199000', '999000') },
      { ...message, body: JSON.stringify(JSON.parse(message.body)) },
      { ...message, headers: unsigned },
      { ...message, headers: { ...unsigned, 'stripe-signature': signature.replace('v1=', 'v0=') } },
      { ...message, headers: { ...unsigned, 'stripe-signature': signature.replace(/t=\d+/, `t=${NOW / 1_000 - 1}`) } },
      emulator.message({ ...event, livemode: true }),
    ]
    for (const one of bad) expect(await deliver(one)).toBe(400)
    expect(await money(user)).toBe(0n)
    expect(await deliver(emulator.message(event, { ageS: 300 }))).toBe(200)
    expect(await money(user)).toBe(1990n)
  })

  it('T11: an event signed with any of the secrets is accepted during a rotation', async () => {
    const user = systemIds.next()
    const { intentId } = await started(user)
    pay(intentId, 'pm_card_visa')
    const event = emulator.events.at(-1)
    if (!event) throw new Error('no event')
    const ours = STRIPE_KEYS.webhookSecrets
    expect(await deliver(emulator.message(event, { secrets: ['whsec_older', ...ours] }))).toBe(200)
    expect(await deliver(emulator.message(event, { secrets: [...ours, 'whsec_newer'] }))).toBe(200)
    expect(await money(user)).toBe(1990n)
  })

  it('a dispute and its outcome are reported', async () => {
    const user = systemIds.next()
    const { intentId, paymentId } = await started(user)
    pay(intentId, 'pm_card_visa')
    const look = async () => (await provider.fetchState({ paymentId, providerPaymentId: intentId }))?.dispute
    expect(await look()).toBe('none')
    emulator.books.dispute(intentId, 'needs_response')
    expect(await look()).toBe('open')
    emulator.books.dispute(intentId, 'lost')
    expect(await look()).toBe('lost')
  })
})

describe('failures of Stripe', () => {
  it.each(['down', 'busy', 'not json', 'silent'] as const)('a call may be retried when Stripe is %s', async (fault) => {
    await emulator.close()
    ;({ emulator, provider } = await stripeRig({ now, timeoutMs: PATIENCE_MS }))
    emulator.set(fault)
    const looked = provider.fetchState({ paymentId: 'p', providerPaymentId: 'pi_0' })
    await expect(looked).rejects.toMatchObject({ code: 'PROVIDER_FAILURE', retryable: true })
  })

  it('a wrong key is not revealed', async () => {
    const settings = {
      ...STRIPE_KEYS,
      secretKey: 'sk_test_wrong_canary',
      apiUrl: emulator.url,
      scriptUrl: emulator.scriptUrl,
    }
    const failure: unknown = await stripeProvider({ clock: { now } }, settings)
      .fetchState({ paymentId: 'p', providerPaymentId: 'pi_0' })
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'PROVIDER_FAILURE', retryable: false })
    expect(`${String(failure)} ${JSON.stringify(failure)}`).not.toContain('canary')
  })

  it('a foreign payment is unknown', async () => {
    expect(await provider.fetchState({ paymentId: 'p', providerPaymentId: 'pi_00' })).toBeNull()
  })
})
