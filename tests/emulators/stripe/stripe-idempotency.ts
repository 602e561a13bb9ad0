import { createHash } from 'node:crypto'
import { StripeRefusal } from './stripe-form.ts'

export type StoredAnswer = { readonly status: number; readonly body: string }
type Entry = { readonly hash: string; answer: StoredAnswer | undefined }

/** Stripe's memory of keys: the first response is repeated; other parameters and a key in use are refused. */
export class StripeIdempotency {
  readonly #entries = new Map<string, Entry>()

  /** The stored response, or undefined when the caller must do the work and then call `keep` or `forget`. */
  begin(key: string, request: { method: string; path: string; body: string }): StoredAnswer | undefined {
    const hash = createHash('sha256').update(`${request.method} ${request.path}\n${request.body}`).digest('hex')
    const known = this.#entries.get(key)
    if (!known) {
      this.#entries.set(key, { hash, answer: undefined })
      return undefined
    }
    if (known.hash !== hash) {
      throw new StripeRefusal(400, {
        type: 'idempotency_error',
        message: 'Keys for idempotent requests can only be used with the same parameters they were first used with.',
      })
    }
    if (known.answer) return known.answer
    throw new StripeRefusal(409, {
      type: 'invalid_request_error',
      code: 'idempotency_key_in_use',
      message: 'There is currently another in-progress request using this Idempotent Key.',
    })
  }

  keep(key: string, answer: StoredAnswer): void {
    const entry = this.#entries.get(key)
    if (entry) entry.answer = answer
  }

  /** A request refused before anything was done is not stored. */
  forget(key: string): void {
    this.#entries.delete(key)
  }

  /** Deletes keys, as after a day: then they are new. */
  prune(): void {
    this.#entries.clear()
  }
}
