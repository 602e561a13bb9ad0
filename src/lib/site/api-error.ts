import type { ErrorCode } from '#contracts/http/errors.ts'

export type ApiErrorFacts = {
  /** Values for the sentence of the code, and values for the caller to continue with; never a secret. */
  readonly params?: Readonly<Record<string, string | number>>
  /** Field of the request -> its error code. */
  readonly fields?: Readonly<Record<string, string>>
  readonly retryAfterSeconds?: number
  /** Set-Cookie headers of the refusal. */
  readonly cookies?: readonly string[]
}

/** A refusal for the caller. The handler's wrapper translates it to the caller's language. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ErrorCode
  readonly facts: ApiErrorFacts

  constructor(code: ErrorCode, facts: ApiErrorFacts = {}) {
    super(code)
    this.code = code
    this.facts = facts
  }
}
