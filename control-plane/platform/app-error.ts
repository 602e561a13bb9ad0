/** Failures of external systems and refusals that cross an API. Each API maps the code once. */
export type AppErrorCode =
  | 'BAD_REQUEST'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'IDEMPOTENCY_MISMATCH'
  | 'IN_PROGRESS'
  | 'REFUSED'
  | 'UNAVAILABLE'
  | 'PROVIDER_FAILURE'
  | 'NODE_UNREACHABLE'

export class AppError extends Error {
  override name = 'AppError'
  readonly code: AppErrorCode
  /** Whether the same call may succeed later without any other change. */
  readonly retryable: boolean
  /** Values for the reader's message; never secrets. */
  readonly params: Readonly<Record<string, string | number>>

  constructor(
    code: AppErrorCode,
    message: string,
    options: { retryable?: boolean; params?: Record<string, string | number>; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.retryable = options.retryable ?? false
    this.params = options.params ?? {}
  }
}
