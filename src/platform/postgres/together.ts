/**
 * Waits for parts of a transaction that are begun together. When one fails, the failure is thrown once none is under way any more: whoever
 * goes on behind a savepoint would otherwise meet statements of the others.
 */
export const together = async <const Parts extends readonly unknown[]>(
  parts: Parts,
): Promise<{ -readonly [Index in keyof Parts]: Awaited<Parts[Index]> }> => {
  try {
    return await Promise.all(parts)
  } catch (error) {
    await Promise.allSettled(parts)
    throw error
  }
}

/** Leaves statements of a transaction to its commit, which waits for them: a failure of theirs is the transaction's. */
export const leaveToCommit = (parts: readonly Promise<unknown>[]): void => {
  for (const part of parts) part.catch(() => {})
}
