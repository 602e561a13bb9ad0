import { createHash } from 'node:crypto'
import { StripeRefusal } from './stripe-form.ts'

export type StoredAnswer = { readonly status: number; readonly body: string }
type Entry = { readonly hash: string; answer: StoredAnswer | undefined }

/** Stripe's memory of keys: the first answer is given again, other parameters and a key still in use are refused. */
export class StripeIdempotency {
  readonly #entries = new Map<string, Entry>()

  /** The stored answer, or undefined when the work is the caller's to do, which then calls `keep` or `forget`. */
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

  /** A request that was refused before anything was done leaves nothing. */
  forget(key: string): void {
    this.#entries.delete(key)
  }

  /** Keys are pruned after a day: then they are new. */
  prune(): void {
    this.#entries.clear()
  }
}
