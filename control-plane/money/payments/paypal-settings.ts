import * as z from 'zod'

const text = z.preprocess((value) => (value === '' ? undefined : value), z.string().optional())

export const PAYPAL_VARIABLES = {
  PAYPAL_CLIENT_ID: text,
  PAYPAL_CLIENT_SECRET: text,
  /** The webhook's id as listed at PayPal: signatures include it. */
  PAYPAL_WEBHOOK_ID: text,
  /** `https://api-m.sandbox.paypal.com` is PayPal's own sandbox. */
  PAYPAL_API_URL: z
    .url()
    .transform((url) => url.replace(/\/+$/, ''))
    .default('https://api-m.paypal.com'),
}

export type PaypalSettings = {
  readonly clientId: string
  readonly clientSecret: string
  readonly webhookId: string
  readonly apiUrl: string
}

const Variables = z.object(PAYPAL_VARIABLES)

/** Undefined until client, secret and webhook are set. */
export function paypalSettings(variables: z.infer<typeof Variables>): PaypalSettings | undefined {
  const { PAYPAL_CLIENT_ID: clientId, PAYPAL_CLIENT_SECRET: clientSecret, PAYPAL_API_URL: apiUrl } = variables
  const { PAYPAL_WEBHOOK_ID: webhookId } = variables
  return clientId && clientSecret && webhookId ? { clientId, clientSecret, webhookId, apiUrl } : undefined
}
