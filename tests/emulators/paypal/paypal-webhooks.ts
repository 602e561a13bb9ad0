import { createSign, createVerify, generateKeyPairSync } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { PaypalEvent } from './paypal-objects.ts'

export type PaypalMessage = { readonly body: string; readonly headers: Readonly<Record<string, string>> }

/** The fields sent for verification, under PayPal's names. */
export type PaypalProof = {
  readonly auth_algo?: string
  readonly cert_url?: string
  readonly transmission_id?: string
  readonly transmission_sig?: string
  readonly transmission_time?: string
  readonly webhook_id?: string
}

/** Signs webhooks as PayPal does, and verifies signatures. */
export class PaypalSigner {
  readonly #keys = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  readonly #webhookId: string
  #count = 0

  constructor(webhookId: string) {
    this.#webhookId = webhookId
  }

  sign(event: PaypalEvent, at: string): PaypalMessage {
    const body = JSON.stringify(event)
    this.#count += 1
    const id = `b3bf4e7a-${String(this.#count).padStart(6, '0')}`
    const signed = this.#signedText(id, at, body)
    const headers = {
      'content-type': 'application/json',
      'paypal-auth-algo': 'SHA256withRSA',
      'paypal-cert-url': 'https://api.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-1d93a270',
      'paypal-transmission-id': id,
      'paypal-transmission-sig': createSign('sha256').update(signed).sign(this.#keys.privateKey, 'base64'),
      'paypal-transmission-time': at,
    }
    return { body, headers }
  }

  /** `eventText` is the exact event of the request: other bytes have another checksum. */
  isOwn(proof: PaypalProof, eventText: string): boolean {
    const { transmission_id: id = '', transmission_time: at = '', transmission_sig: signature = '' } = proof
    if (proof.webhook_id !== this.#webhookId || proof.auth_algo !== 'SHA256withRSA') return false
    const signed = this.#signedText(id, at, eventText)
    return createVerify('sha256').update(signed).verify(this.#keys.publicKey, signature, 'base64')
  }

  #signedText(id: string, at: string, body: string): string {
    return `${id}|${at}|${this.#webhookId}|${crc32(body)}`
  }
}

/** The text of `webhook_event` in a request body, byte for byte: it is the last member. */
export function eventTextOf(body: string): string {
  const at = body.indexOf('"webhook_event":')
  return at < 0 ? '' : body.slice(at + '"webhook_event":'.length).replace(/\}\s*$/, '')
}
