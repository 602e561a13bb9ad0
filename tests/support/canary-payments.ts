import * as z from 'zod'

import { TopupAnswer } from '../../src/contracts/http/balance.ts'
import { startBarion, type BarionEmulator } from '../emulators/barion/barion.ts'
import { startPaypal, type PaypalEmulator } from '../emulators/paypal/paypal-server.ts'
import { startStripe, type StripeEmulator } from '../emulators/stripe/stripe-server.ts'
import { drawCanary, type Canaries } from './canaries.ts'

type Heard = { status: number; text: string; json: () => unknown }
/** Sends a request of the journey to the site. */
type Send = (method: string, path: string, sent: { headers?: Record<string, string>; body?: unknown }) => Promise<Heard>

const Token = z.object({ access_token: z.string() })

const BARION_PAYEE = 'shop@bakter.test'
/** The amount for each payment method; the phone has only its tariffs. */
const AMOUNTS: Readonly<Record<string, number>> = { stripe: 5_000, paypal: 5_000, barion: 5_000, phone: 1_905 }
const METHODS = Object.keys(AMOUNTS)

/** Emulators of the providers whose keys are canaries, and the variables that configure a demo for them. */
export class CanaryPayments {
  readonly env: Readonly<Record<string, string>>
  readonly #stripe: StripeEmulator
  readonly #paypal: PaypalEmulator
  readonly #barion: BarionEmulator

  private constructor(
    { stripe, paypal, barion }: { stripe: StripeEmulator; paypal: PaypalEmulator; barion: BarionEmulator },
    keys: Readonly<Record<string, string>>,
  ) {
    this.#stripe = stripe
    this.#paypal = paypal
    this.#barion = barion
    this.env = {
      ...keys,
      PAYMENT_METHODS: ['sandbox', ...METHODS].join(','),
      STRIPE_API_URL: stripe.url,
      STRIPE_JS_URL: stripe.scriptUrl,
      PAYPAL_API_URL: paypal.url,
      BARION_API_URL: barion.url,
      BARION_PAY_URL: barion.url,
    }
  }

  static async start(canaries: Canaries): Promise<CanaryPayments> {
    const keys = {
      STRIPE_SECRET_KEY: canaries.note('Stripe key', drawCanary('stripe')),
      STRIPE_PUBLISHABLE_KEY: 'pk_test_to_be_seen',
      STRIPE_WEBHOOK_SECRET: canaries.note('Stripe signing secret', drawCanary('signing')),
      PAYPAL_CLIENT_ID: 'client-to-be-seen',
      PAYPAL_CLIENT_SECRET: canaries.note('PayPal secret', drawCanary('paypal')),
      PAYPAL_WEBHOOK_ID: '1JE4291016473214C',
      BARION_POS_KEY: canaries.note('Barion POS key', drawCanary('barion')),
      BARION_PAYEE,
      PHONE_SECRETS: ['first', 'second']
        .map((which) => canaries.note(`${which} phone secret`, drawCanary(`phone-${which}-of-the-aggregator`)))
        .join(','),
      PHONE_TARIFFS: 'premium-sms:1905:800:06-90-888-333',
    }
    const stripe = await startStripe({
      secretKey: keys.STRIPE_SECRET_KEY,
      publishableKey: keys.STRIPE_PUBLISHABLE_KEY,
      webhookSecrets: [keys.STRIPE_WEBHOOK_SECRET],
    })
    const paypal = await startPaypal({
      clientId: keys.PAYPAL_CLIENT_ID,
      clientSecret: keys.PAYPAL_CLIENT_SECRET,
      webhookId: keys.PAYPAL_WEBHOOK_ID,
    })
    const barion = await startBarion({ posKey: keys.BARION_POS_KEY, payee: BARION_PAYEE })
    return new CanaryPayments({ stripe, paypal, barion }, keys)
  }

  /** A payment with each provider, as far as the customer's browser gets, and forged messages, which are refused. */
  async pay(send: Send, headers: Record<string, string>, canaries: Canaries): Promise<void> {
    for (const method of METHODS) {
      const body = { amount: AMOUNTS[method], method, acceptTerms: true }
      const answer = await send('POST', '/api/balance/topup', { headers, body })
      if (answer.status !== 201) throw new Error(`${method} was answered with ${answer.status}: ${answer.text}`)
      const { transactionId } = TopupAnswer.parse(answer.json())
      await send('POST', '/api/balance/topup/check', { headers, body: { transaction: transactionId } })
      await send('POST', `/payments/webhooks/${method}`, { body: { id: 'x', event_type: 'x', resource: {} } })
    }
    for (const { client_secret: secret } of this.#stripe.books.intents.values())
      canaries.note('secret of an intent', secret ?? undefined, 'POST /api/balance/topup/check')
    for (const { operation, answer } of this.#paypal.calls)
      if (operation === 'token') canaries.note('PayPal token', Token.parse(answer).access_token)
    // The provider fails: the log of the failure contains none of the secrets.
    this.#stripe.set('down')
    this.#paypal.set('down')
    this.#barion.set('down')
    for (const method of ['stripe', 'paypal', 'barion'])
      await send('POST', '/api/balance/topup', { headers, body: { amount: 6_000, method, acceptTerms: true } })
  }

  async close(): Promise<void> {
    await Promise.all([this.#stripe.close(), this.#paypal.close(), this.#barion.close()])
  }
}
