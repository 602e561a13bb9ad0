import type { Clock } from '#platform/clock.ts'
import type { Sql } from '../context/database.ts'

/** Deletes expired codes and links. */
export const sweepProofs = async (db: Sql, clock: Clock): Promise<void> => {
  const now = [new Date(clock.now())]
  await db.query('delete from identity.email_codes where expires_at < $1', now)
  await db.query('delete from identity.reset_tokens where expires_at < $1', now)
  await db.query('delete from identity.factor_undo_links where expires_at < $1', now)
  await db.query('delete from identity.email_changes where undo_until < $1', now)
}
