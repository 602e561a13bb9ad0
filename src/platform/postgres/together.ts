/**
 * Awaits parts of a transaction that were started together. If one fails, its failure is thrown after all have settled, so
 * that none of them sends a statement after a caller's rollback to a savepoint.
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
