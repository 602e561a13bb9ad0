import * as z from 'zod'
import { STRIPE_SCRIPT_URL } from '#contracts/http/card-page.ts'

const text = z.preprocess((value) => (value === '' ? undefined : value), z.string().optional())

export const STRIPE_VARIABLES = {
  /** `sk_…`, or better `rk_…`: a key that may write payment intents and refunds, and read charges and disputes. */
  STRIPE_SECRET_KEY: text,
  /** `pk_…`: the key that the card page sends to Stripe. It is not secret. */
  STRIPE_PUBLISHABLE_KEY: text,
  /** `whsec_…` of the endpoint; two, separated by a comma, during a rotation. */
  STRIPE_WEBHOOK_SECRET: text,
  STRIPE_API_URL: z
    .url()
    .transform((url) => url.replace(/\/+$/, ''))
    .default('https://api.stripe.com'),
  /** The address of the card page's script. The site has the same setting, for the page's policy. */
  STRIPE_JS_URL: z.url().default(STRIPE_SCRIPT_URL),
}

export type StripeSettings = {
  readonly secretKey: string
  readonly publishableKey: string
  readonly webhookSecrets: readonly string[]
  readonly apiUrl: string
  readonly scriptUrl: string
}

const Variables = z.object(STRIPE_VARIABLES)

/** Undefined until both keys and a signing secret are set. */
export function stripeSettings(variables: z.infer<typeof Variables>): StripeSettings | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey, STRIPE_API_URL: apiUrl } = variables
  const webhookSecrets = (variables.STRIPE_WEBHOOK_SECRET ?? '').split(',').flatMap((part) => part.trim() || [])
  if (!secretKey || !publishableKey || webhookSecrets.length === 0) return undefined
  return { secretKey, publishableKey, webhookSecrets, apiUrl, scriptUrl: variables.STRIPE_JS_URL }
}
