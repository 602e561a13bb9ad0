import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'

/** The answer to an invitation tells whether an account has an address (decision 72): this many an hour. */
export const INVITES_PER_HOUR = 10
const HOUR_MS = 3_600_000

/**
 * Counts a try of an hour, for the owner of the server and for the person who invites, so that neither many servers nor
 * many inviters make more of them. Returns the seconds to wait if there were too many; that try is not counted.
 */
export async function takeInvitationTry(
  tx: Sql,
  { ids, clock }: Pick<Context, 'ids' | 'clock'>,
  { ownerId, userId }: { ownerId: string; userId: string },
): Promise<number | null> {
  const nowMs = clock.now()
  // Both are locked in one order: two invitations at once count one after the other.
  for (const id of [...new Set([ownerId, userId])].sort()) {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 728))', [`invitations:${id}`])
  }
  const rows = await tx.query<{ tried_at: Date }>(
    `select tried_at from control.invitation_tries where (owner_id = $1 or user_id = $2) and tried_at > $3
     order by tried_at desc limit ${INVITES_PER_HOUR}`,
    [ownerId, userId, new Date(nowMs - HOUR_MS)],
  )
  const oldest = rows[INVITES_PER_HOUR - 1]
  if (oldest !== undefined) return Math.ceil((oldest.tried_at.getTime() + HOUR_MS - nowMs) / 1_000)
  await tx.query('insert into control.invitation_tries (id, owner_id, user_id, tried_at) values ($1, $2, $3, $4)', [
    ids.next(),
    ownerId,
    userId,
    new Date(nowMs),
  ])
  return null
}
