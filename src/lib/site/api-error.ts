import type { ErrorCode } from '#contracts/http/errors.ts'

export type ApiErrorFacts = {
  /** What the sentence of the code needs, and what the caller goes on with; nothing that is worth something by itself. */
  readonly params?: Readonly<Record<string, string | number>>
  /** Field of the request -> code of what is wrong with it. */
  readonly fields?: Readonly<Record<string, string>>
  readonly retryAfterSeconds?: number
  /** Set-Cookie headers that go with the refusal. */
  readonly cookies?: readonly string[]
}

/** A refusal on its way to the caller. The handler's wrapper words it in the caller's language. */
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
