import { paypalProvider } from '../../control-plane/money/payments/providers/paypal/paypal-provider.ts'
import type { PaymentProvider, PaymentProviders } from '../../control-plane/money/payments/payment-provider.ts'
import type { VerificationLimit } from '../../control-plane/money/payments/providers/paypal/verification-limit.ts'
import { stripeProvider } from '../../control-plane/money/payments/providers/stripe/stripe-provider.ts'
import { startPaypal, type PaypalEmulator } from '../emulators/paypal/paypal-server.ts'
import { startStripe, type StripeEmulator } from '../emulators/stripe/stripe-server.ts'

export const STRIPE_KEYS = {
  secretKey: 'sk_test_emulated_0000',
  publishableKey: 'pk_test_emulated_0000',
  webhookSecrets: ['whsec_emulated_0000'],
}
export const PAYPAL_KEYS = {
  clientId: 'paypal-client',
  clientSecret: 'paypal-secret-0000',
  webhookId: '1JE4291016473214C',
}

/** The time-out of a provider, short because the test waits for it. */
export const PATIENCE_MS = 400

type Options = { readonly now: () => number; readonly timeoutMs?: number; readonly limit?: VerificationLimit }

export async function stripeRig({
  now,
  timeoutMs = 5_000,
}: Options): Promise<{ emulator: StripeEmulator; provider: PaymentProvider }> {
  const emulator = await startStripe({ ...STRIPE_KEYS, nowMs: now })
  const provider = stripeProvider(
    { clock: { now } },
    { ...STRIPE_KEYS, apiUrl: emulator.url, scriptUrl: emulator.scriptUrl },
    { timeoutMs },
  )
  return { emulator, provider }
}

export async function paypalRig({
  now,
  timeoutMs = 5_000,
  // Test clocks do not advance, so a limit would never allow another request.
  limit = { mayAsk: () => Promise.resolve(true) },
}: Options): Promise<{ emulator: PaypalEmulator; provider: PaymentProvider }> {
  const emulator = await startPaypal({ ...PAYPAL_KEYS, nowMs: now })
  const provider = paypalProvider({ clock: { now } }, { ...PAYPAL_KEYS, apiUrl: emulator.url }, { timeoutMs, limit })
  return { emulator, provider }
}

export const onlyProvider = (provider: PaymentProvider): PaymentProviders => ({
  all: [provider],
  find: (id) => (id === provider.id ? provider : undefined),
})
