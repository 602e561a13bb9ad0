/** The default wait for a refused caller. */
const RETRY_AFTER_SECONDS = 2

/**
 * The program is overloaded: the work has not begun, and may succeed on a retry. Responses are 503 with Retry-After.
 */
export class Overloaded extends Error {
  override name = 'Overloaded'
  readonly code = 'OVERLOADED'
  readonly retryAfterSeconds: number

  constructor(message: string, options: { retryAfterSeconds?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.retryAfterSeconds = options.retryAfterSeconds ?? RETRY_AFTER_SECONDS
  }
}

/**
 * Whether the error, or a cause of it, is an overload. Checked by code: Next bundles the class more than once, and
 * `instanceof` fails across copies.
 */
export const isOverloaded = (error: unknown): error is Overloaded => {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if ('code' in at && at.code === 'OVERLOADED') return true
  }
  return false
}
