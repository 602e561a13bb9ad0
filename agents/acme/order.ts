import { X509Certificate, createPrivateKey } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import type * as z from 'zod'
import type { KeyPair } from '../http/certificate.ts'
import type { Clock } from '#platform/clock.ts'
import type { FaultPoint } from '../platform/fault-point.ts'
import { sleep, type Timers } from '../platform/timers.ts'
import { newKey, type Signer } from './account.ts'
import { detailOf, type AcmeClient } from './acme-client.ts'
import { certificateRequest } from './certificate-request.ts'
import { DirectoryError, retryAtOf } from './directory-error.ts'
import { keyAuthorization } from './jws.ts'
import type { ChallengeResponder } from './network.ts'
import { Authorization, Order } from './wire.ts'

/** How long the authority may take for one step, and the polling interval without a Retry-After. */
const STEP_MS = 5 * 60_000
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 15_000

export interface OrderDeps {
  readonly client: AcmeClient
  readonly respond: ChallengeResponder
  readonly clock: Clock
  readonly timers: Timers
  readonly faults: FaultPoint
  /** Whether the agent is shutting down; no more requests are sent then. */
  stopped(): boolean
}

/** Checks a pair before it is served: for this name, with this key, not expired, and accepted by TLS. */
export const refusePair = (pair: KeyPair, name: string, nowMs: number): string | undefined => {
  try {
    const leaf = new X509Certificate(pair.cert)
    if (!leaf.checkPrivateKey(createPrivateKey(pair.key))) return 'it is not the certificate of the key'
    if (leaf.checkHost(name, { subject: 'never' }) === undefined) return `it is not for ${name}`
    if (Date.parse(leaf.validTo) <= nowMs) return 'it is over'
    createSecureContext(pair)
    return undefined
  } catch {
    return 'it cannot be read'
  }
}

/** One order from its beginning to the certificate (RFC 8555 section 7.4). */
export class CertificateOrder {
  readonly #deps: OrderDeps
  readonly #signer: Signer
  readonly #name: string

  constructor(deps: OrderDeps, signer: Signer, name: string) {
    this.#deps = deps
    this.#signer = signer
    this.#name = name
  }

  /** Chain and key in PEM form. `replaces` is the id of the certificate that it follows (RFC 9773 section 5). */
  async obtain(replaces?: string): Promise<KeyPair> {
    const { client, faults, clock } = this.#deps
    const { newOrder } = await client.directory()
    const identifiers = [{ type: 'dns', value: this.#name }]
    const made = await client.post(this.#signer, newOrder, {
      identifiers,
      ...(replaces === undefined ? {} : { replaces }),
    })
    const { location } = made.headers
    if (location === undefined) throw this.#failure('names no order')
    const url = new URL(location, newOrder).href
    await faults('acme.ordered')
    for (const authorization of client.read(made, Order).authorizations) await this.#authorize(authorization)
    const ready = await this.#order(url, (status) => status === 'ready' || status === 'valid')
    const key = newKey()
    const csr = certificateRequest(this.#name, createPrivateKey(key)).toString('base64url')
    await client.post(this.#signer, ready.finalize, { csr })
    await faults('acme.finalized')
    const { certificate } = await this.#order(url, (status) => status === 'valid')
    if (certificate === undefined) throw this.#failure('names no certificate')
    const { body: cert } = await client.post(this.#signer, certificate)
    const refusal = refusePair({ cert, key }, this.#name, clock.now())
    if (refusal !== undefined) throw this.#failure(`gives a certificate that is not served: ${refusal}`)
    return { cert, key }
  }

  async #order(url: string, isDone: (status: Order['status']) => boolean): Promise<Order> {
    return this.#poll(url, Order, (order) => {
      if (order.status === 'invalid') {
        throw this.#failure(`gives the order up: ${order.error === undefined ? 'invalid' : detailOf(order.error)}`)
      }
      return isDone(order.status)
    })
  }

  /** Opens the challenge responder for the duration of the challenge. */
  async #authorize(url: string): Promise<void> {
    const { client, respond } = this.#deps
    const authorization = client.read(await client.post(this.#signer, url), Authorization)
    if (authorization.status === 'valid') return
    const challenge = authorization.challenges.find(({ type }) => type === 'http-01')
    if (challenge?.token === undefined) throw this.#failure(`does not offer the check http-01 for ${this.#name}`)
    const close = await respond(challenge.token, await keyAuthorization(challenge.token, this.#signer.key))
    try {
      await client.post(this.#signer, challenge.url, {})
      await this.#poll(url, Authorization, ({ status, challenges }) => {
        if (status === 'pending') return false
        if (status === 'valid') return true
        const error = challenges.find((each) => each.error !== undefined)?.error
        throw this.#failure(`could not check ${this.#name}: ${error === undefined ? status : detailOf(error)}`)
      })
    } finally {
      await close()
    }
  }

  async #poll<T>(url: string, schema: z.ZodType<T>, isDone: (value: T) => boolean): Promise<T> {
    const { client, clock, timers } = this.#deps
    const endMs = clock.now() + STEP_MS
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
      const answer = await client.post(this.#signer, url)
      const value = client.read(answer, schema)
      if (isDone(value)) return value
      const nowMs = clock.now()
      const askedAtMs = retryAtOf(answer.headers['retry-after'], nowMs)
      const nextAtMs = askedAtMs ?? nowMs + waitMs
      if (nextAtMs > endMs) throw this.#failure('does not finish the order', askedAtMs)
      await sleep(timers, nextAtMs - nowMs)
      if (this.#deps.stopped()) throw this.#failure('is left alone: the agent ends')
    }
  }

  #failure(what: string, retryAtMs?: number): DirectoryError {
    return new DirectoryError(`The authority at ${this.#deps.client.host} ${what}.`, { retryAtMs })
  }
}
