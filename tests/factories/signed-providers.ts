import type { PaymentProvider } from '../../control-plane/money/payments/payment-provider.ts'
import type { PhoneRig } from './provider-rigs.ts'
import { phoneRig } from './provider-rigs.ts'
import { paypalRig, stripeRig } from './card-providers.ts'
import { orderContext } from './shop.ts'
import { START_MS, tillOf } from './till-of.ts'
import type { ControlDatabase } from './control-database.ts'

/** A request to the public listener. */
export type Post = { readonly body: string; readonly headers: Readonly<Record<string, string>> }

/** Every provider that signs its messages, with one set of payments and a manual clock. */
export async function signedProviders(database: () => ControlDatabase) {
  const clock = { nowMs: START_MS }
  const now = () => clock.nowMs
  const [stripe, paypal] = [await stripeRig({ now }), await paypalRig({ now })]
  let phone: PhoneRig | undefined
  const phoneNow = (): PhoneRig => (phone ??= phoneRig(orderContext(database().db, { now })))
  const all = (): PaymentProvider[] => [stripe.provider, paypal.provider, phoneNow().provider]
  const till = tillOf(database, all)
  return {
    clock,
    till,
    stripe: stripe.emulator,
    paypal: paypal.emulator,
    phone: () => phoneNow().phone,
    post: async (method: string, { body, headers }: Post, at = till.routes(now)): Promise<number> =>
      (await at.request(`/payments/webhooks/${method}`, { method: 'POST', body, headers })).status,
    close: async () => {
      await stripe.emulator.close()
      await paypal.emulator.close()
    },
  }
}
