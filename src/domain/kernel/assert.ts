/** A programming error. It is never shown to a customer and never retried. */
export class AssertionFailure extends Error {
  override name = 'AssertionFailure'
}

/** Throws AssertionFailure unless `condition` holds. `reason` is a sentence for the developer who reads the log. */
export function assert(condition: unknown, reason: string): asserts condition {
  if (!condition) throw new AssertionFailure(reason)
}

/** Marks a switch as exhaustive: the compiler refuses a call while a case is missing. */
export function assertNever(value: never): never {
  throw new AssertionFailure(`Unexpected value: ${String(value)}`)
}
