import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { receiveHint } from '../../../control-plane/money/payments/receive-hint.ts'
import { paymentRoutes } from '../../factories/payment-routes.ts'
import { paymentProviders } from '../../../control-plane/money/payments/providers/catalog.ts'
import { systemIds } from '#platform/ids.ts'
import { startPaypal, type PaypalEmulator } from '../../emulators/paypal/paypal-server.ts'
import { newPaypalEvent, newPaypalId } from '../../emulators/paypal/paypal-objects.ts'
import { PAYPAL_KEYS } from '../../factories/card-providers.ts'
import type { ControlDatabase } from '../../factories/control-database.ts'
import { orderContext, shopDatabase } from '../../factories/shop.ts'
import { START_MS, tillOf } from '../../factories/till-of.ts'
import type { PaymentProviders } from '../../../control-plane/money/payments/payment-provider.ts'

let nowMs = START_MS
let database: ControlDatabase
let emulator: PaypalEmulator
let providers: PaymentProviders
beforeAll(async () => {
  database = await shopDatabase(40)
})
beforeEach(async () => {
  nowMs = START_MS
  emulator = await startPaypal({ ...PAYPAL_KEYS, nowMs: () => nowMs })
  const settings = { mode: 'demo', methods: ['paypal'], publicUrl: 'http://pay.test' } as const
  const paypal = { ...PAYPAL_KEYS, apiUrl: emulator.url }
  // As a deployment makes it, with its limit.
  const context = orderContext(database.db, { now: () => nowMs })
  providers = paymentProviders(context, { ...settings, providers: { paypal } })
})
afterEach(() => emulator.close())
afterAll(() => database.close())

const till = tillOf(
  () => database,
  () => providers.all,
)
type Message = ReturnType<PaypalEmulator['message']>
async function deliver({ body, headers }: Message): Promise<number> {
  const at = till.context({ now: () => nowMs })
  const routes = paymentRoutes({ context: at, providers, onHint: (hint) => receiveHint(at, hint) })
  return (await routes.request('/payments/webhooks/paypal', { method: 'POST', body, headers })).status
}
const questions = () => emulator.calls.filter(({ operation }) => operation === 'verify-webhook-signature.post').length
const at = new Date(START_MS).toISOString()
/** An event with the form of a proof that PayPal never made. */
function forged(resource: object, type = 'CHECKOUT.ORDER.APPROVED'): Message {
  const { body, headers } = emulator.message(newPaypalEvent(type, resource, at))
  return { body, headers: { ...headers, 'paypal-transmission-sig': 'AAAA' } }
}

describe('T17: webhooks that PayPal has to verify', () => {
  it('forgeries are verified within a limit, and change nothing', async () => {
    const before = await till.everything()
    const inventions = Array.from({ length: 300 }, (_, index) =>
      forged(
        index % 3 === 0 ? { id: newPaypalId() } : { id: newPaypalId(), custom_id: systemIds.next() },
        index % 2 === 0 ? 'CHECKOUT.ORDER.APPROVED' : 'PAYMENT.CAPTURE.COMPLETED',
      ),
    )
    const answers = await Promise.all(inventions.map(deliver))
    expect(new Set(answers)).toEqual(new Set([400, 429]))
    expect(questions()).toBe(30)
    expect(await till.everything()).toEqual(before)
  })

  it('forgeries do not delay events of our payments, and other events are handled later', async () => {
    const { userId, providerPaymentId } = await till.open({ method: 'paypal' })
    for (let count = 0; count < 60; count += 1) await deliver(forged({ id: newPaypalId() }))
    emulator.books.approve(providerPaymentId, 'paid')
    for (const event of [...emulator.events]) expect(await deliver(emulator.message(event))).toBe(200)
    expect(await till.money(userId)).toBe(1990n)
    const stranger = newPaypalEvent('CHECKOUT.ORDER.APPROVED', { id: newPaypalId() }, at)
    expect(await deliver(emulator.message(stranger))).toBe(429)
    nowMs += 5_000
    expect(await deliver(emulator.message(stranger))).toBe(200)
  })

  it('ids of another format count as forgeries', async () => {
    for (const custom_id of ['not a name of ours', '', '0'.repeat(127)])
      expect(await deliver(forged({ id: newPaypalId(), custom_id }))).toBe(400)
  })

  it('a customer who names their own payment uses up only its own limit', async () => {
    const [mine, yours] = [await till.open({ method: 'paypal' }), await till.open({ method: 'paypal' })]
    for (let count = 0; count < 100; count += 1) await deliver(forged({ id: newPaypalId(), custom_id: mine.paymentId }))
    expect(questions()).toBe(20)
    emulator.books.approve(yours.providerPaymentId, 'paid')
    for (const event of [...emulator.events]) expect(await deliver(emulator.message(event))).toBe(200)
    expect(await till.money(yours.userId)).toBe(1990n)
  })
})
