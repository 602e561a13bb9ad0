import * as z from 'zod'
import { BARION_VARIABLES, barionSettings, type BarionSettings } from './barion-settings.ts'
import { PAYPAL_VARIABLES, paypalSettings, type PaypalSettings } from './paypal-settings.ts'
import { PHONE_VARIABLES, phoneSettings, type PhoneSettings } from './phone-settings.ts'
import { STRIPE_VARIABLES, stripeSettings, type StripeSettings } from './stripe-settings.ts'

/** The variables of all providers: the environment is parsed once, together with these. */
export const PROVIDER_VARIABLES = { ...BARION_VARIABLES, ...PAYPAL_VARIABLES, ...PHONE_VARIABLES, ...STRIPE_VARIABLES }

const Variables = z.object(PROVIDER_VARIABLES)

/** The settings of each provider; undefined if not configured. */
export type ProviderSettings = {
  readonly barion?: BarionSettings | undefined
  readonly paypal?: PaypalSettings | undefined
  readonly phone?: PhoneSettings | undefined
  readonly stripe?: StripeSettings | undefined
}

/** Extracts the providers' settings from the parsed environment. */
export function providerSettings(variables: z.infer<typeof Variables>): ProviderSettings {
  return {
    barion: barionSettings(variables),
    paypal: paypalSettings(variables),
    phone: phoneSettings(variables),
    stripe: stripeSettings(variables),
  }
}
