/** How long a caller is asked to wait where nobody knows better. */
const RETRY_AFTER_SECONDS = 2

/**
 * The program has more to do than it can: what was asked has not begun, and may succeed in a moment. Doors answer it with 503
 * and Retry-After.
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
 * Whether the error, or a cause of it, says that the program is overloaded. By its code: Next bundles the class more than
 * once, and an instance of one copy is none of the other.
 */
export const isOverloaded = (error: unknown): error is Overloaded => {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if ('code' in at && at.code === 'OVERLOADED') return true
  }
  return false
}
