import { createHmac } from 'node:crypto'
import type { StripeEvent } from './stripe-objects.ts'

/** `t=…,v1=…` with one signature for each secret, as Stripe signs while a secret is being rolled. */
export function signatureHeader(body: string, secrets: readonly string[], atS: number): string {
  const signatures = secrets.map((secret) => {
    const signature = createHmac('sha256', secret).update(`${atS}.${body}`).digest('hex')
    return `v1=${signature}`
  })
  // The older scheme is sent beside it and proves nothing.
  return [`t=${atS}`, ...signatures, `v0=${'0'.repeat(64)}`].join(',')
}

export type StripeMessage = { readonly body: string; readonly headers: Readonly<Record<string, string>> }

/** An event as it is sent: the body as text, signed over its bytes. */
export function signedMessage(event: StripeEvent, secrets: readonly string[], atS: number): StripeMessage {
  const body = JSON.stringify(event, null, 2)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'stripe-signature': signatureHeader(body, secrets, atS),
  }
  return { body, headers }
}
