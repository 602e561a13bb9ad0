/** Others did something at the same moment: the same transaction may succeed if it is run again. */
const RETRYABLE = new Set(['40001', '40P01'])
const PASSING = new Set([...RETRYABLE, '55P03'])
const UNIQUE_VIOLATION = '23505'

const FEATURE_NOT_SUPPORTED = '0A000'
const NO_SUCH_STATEMENT = '26000'

const textOf = (error: unknown, field: 'code' | 'constraint' | 'routine'): string | undefined => {
  if (typeof error !== 'object' || error === null || !(field in error)) return undefined
  const value: unknown = (error as Record<string, unknown>)[field]
  return typeof value === 'string' ? value : undefined
}

/** Whether a statement was prepared before a migration that changed its columns, or is not prepared any more. */
export const isStalePlan = (error: unknown): boolean => {
  const code = textOf(error, 'code')
  return (
    code === NO_SUCH_STATEMENT ||
    (code === FEATURE_NOT_SUPPORTED && textOf(error, 'routine') === 'RevalidateCachedQuery')
  )
}

/** Whether the same transaction may succeed if it is run again: a deadlock, a serialization failure or a stale plan undid it. */
export const isRetryable = (error: unknown): boolean => RETRYABLE.has(textOf(error, 'code') ?? '') || isStalePlan(error)

/** Whether PostgreSQL refused the values themselves (classes 22 and 23), so that a repetition is refused as well. */
export const isRefusedValue = (error: unknown): boolean => /^2[23]/.test(textOf(error, 'code') ?? '')

/**
 * Whether others did something at the same moment (serialization, deadlock, a lock that was not free in time, a migration): the same work
 * may succeed a moment later, in a transaction of its own.
 */
export const isPassing = (error: unknown): boolean => PASSING.has(textOf(error, 'code') ?? '') || isStalePlan(error)

/** Whether PostgreSQL refused a value that another row has already. */
export const isTakenValue = (error: unknown): boolean => textOf(error, 'code') === UNIQUE_VIOLATION

/** The name of the unique index that refused a row, or undefined for any other failure. */
export const violatedUnique = (error: unknown): string | undefined =>
  isTakenValue(error) ? textOf(error, 'constraint') : undefined
