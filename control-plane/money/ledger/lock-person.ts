import type { Sql } from '#platform/postgres/database.ts'

/**
 * Whoever moves somebody's money by hand, credits it late or erases them waits here, before every other lock: an erasure that is under
 * way has ended when this resolves, and none begins before the transaction ends.
 */
export async function lockPerson(tx: Sql, userId: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`erase ${userId}`])
}
