/** A concurrent transaction interfered: the same transaction may succeed if it runs again. */
const RETRYABLE = new Set(['40001', '40P01'])
const PASSING = new Set([...RETRYABLE, '55P03'])
const UNIQUE_VIOLATION = '23505'

const FEATURE_NOT_SUPPORTED = '0A000'
const NO_SUCH_STATEMENT = '26000'
const IN_FAILED_TRANSACTION = '25P02'

const textOf = (error: unknown, field: 'code' | 'constraint' | 'routine'): string | undefined => {
  if (typeof error !== 'object' || error === null || !(field in error)) return undefined
  const value: unknown = (error as Record<string, unknown>)[field]
  return typeof value === 'string' ? value : undefined
}

/** Whether a prepared statement is outdated by a migration that changed its columns, or no longer exists. */
export const isStalePlan = (error: unknown): boolean => {
  const code = textOf(error, 'code')
  return (
    code === NO_SUCH_STATEMENT ||
    (code === FEATURE_NOT_SUPPORTED && textOf(error, 'routine') === 'RevalidateCachedQuery')
  )
}

/**
 * Whether a statement was refused because an earlier one of its transaction had failed: nothing runs any more, and a
 * statement that was to be prepared behind the failure does not exist.
 */
export const isBehindFailure = (error: unknown): boolean =>
  [IN_FAILED_TRANSACTION, NO_SUCH_STATEMENT].includes(textOf(error, 'code') ?? '')

/** Whether the transaction was undone by a deadlock, a serialization failure or a stale plan. */
export const isRetryable = (error: unknown): boolean => RETRYABLE.has(textOf(error, 'code') ?? '') || isStalePlan(error)

/** Whether PostgreSQL refused the values themselves (classes 22 and 23), so that a retry is refused as well. */
export const isRefusedValue = (error: unknown): boolean => /^2[23]/.test(textOf(error, 'code') ?? '')

/**
 * Whether a concurrent transaction or migration interfered (serialization, deadlock, a lock that was not free in time, a
 * stale plan): the same work may succeed shortly, in a new transaction.
 */
export const isPassing = (error: unknown): boolean => PASSING.has(textOf(error, 'code') ?? '') || isStalePlan(error)

/** Whether PostgreSQL refused a value that another row already has. */
export const isTakenValue = (error: unknown): boolean => textOf(error, 'code') === UNIQUE_VIOLATION

/** The name of the unique index that refused a row, or undefined for any other failure. */
export const violatedUnique = (error: unknown): string | undefined =>
  isTakenValue(error) ? textOf(error, 'constraint') : undefined
