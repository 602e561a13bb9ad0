import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { refusePaymentMethods } from '../../../../../control-plane/money/payments/providers/catalog.ts'
import { PROVIDER_VARIABLES, providerSettings } from '../../../../../control-plane/money/payments/provider-settings.ts'

const read = (variables: Record<string, string>) => providerSettings(z.object(PROVIDER_VARIABLES).parse(variables))
const stripe = { STRIPE_SECRET_KEY: 'sk_1', STRIPE_PUBLISHABLE_KEY: 'pk_1', STRIPE_WEBHOOK_SECRET: 'whsec_1, whsec_2' }
const paypal = { PAYPAL_CLIENT_ID: 'c', PAYPAL_CLIENT_SECRET: 's', PAYPAL_WEBHOOK_ID: 'w' }

describe('the settings of Stripe and PayPal', () => {
  it('lead to the providers themselves unless something else is said', () => {
    expect(read(stripe).stripe).toEqual({
      secretKey: 'sk_1',
      publishableKey: 'pk_1',
      webhookSecrets: ['whsec_1', 'whsec_2'],
      apiUrl: 'https://api.stripe.com',
      scriptUrl: 'https://js.stripe.com/dahlia/stripe.js',
    })
    expect(read(paypal).paypal?.apiUrl).toBe('https://api-m.paypal.com')
    expect(read({ ...paypal, PAYPAL_API_URL: 'http://127.0.0.1:1/' }).paypal?.apiUrl).toBe('http://127.0.0.1:1')
  })

  it.each([...Object.keys(stripe), ...Object.keys(paypal)])(
    'are none without %s, and the method says what it needs',
    (name) => {
      const providers = read({ ...stripe, ...paypal, [name]: '' })
      const method = name.startsWith('STRIPE') ? 'stripe' : 'paypal'
      expect(providers[method]).toBeUndefined()
      expect(refusePaymentMethods({ mode: 'production', methods: [method], providers })).toContain(name)
      expect(
        refusePaymentMethods({ mode: 'production', methods: [method], providers: read({ ...stripe, ...paypal }) }),
      ).toBeUndefined()
    },
  )
})
