import type { SessionEntry } from '#contracts/http/session.ts'
import type { Subject } from '../keys/access-tokens.ts'
import { recordActivity } from '../people/activities.ts'
import type { IdentityContext, Origin } from '../context/context.ts'
import { deviceOf } from './device-of.ts'

/** More sessions than anybody has; without a bound a thief with the password could fill the list. */
const MOST = 200

type Row = { id: string; address: string; user_agent: string; created_at: Date; last_used_at: Date }

/** A person's sessions: this browser first, then by last use. */
export const listSessions = async (context: IdentityContext, subject: Subject): Promise<SessionEntry[]> => {
  const rows = await context.db.query<Row>(
    `select id, address, user_agent, created_at, last_used_at from identity.sessions
     where user_id = $1 and ended_at is null and expires_at > $2
     order by id = $3 desc, last_used_at desc, id desc limit ${MOST}`,
    [subject.userId, new Date(context.clock.now()), subject.sessionId],
  )
  return rows.map((row) => ({
    id: row.id,
    device: deviceOf(row.user_agent),
    ipAddress: row.address,
    place: '',
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
    isCurrent: row.id === subject.sessionId,
  }))
}

/** Ends one of the person's own sessions. False when the person has no such open session. */
export const endOwnSession = (
  context: IdentityContext,
  { userId, id }: { readonly userId: string; readonly id: string },
  origin: Origin,
): Promise<boolean> =>
  context.db.transaction(async (tx) => {
    const rows = await tx.query(
      `update identity.sessions set ended_at = $3, end_reason = 'ended elsewhere'
       where id = $1 and user_id = $2 and ended_at is null returning id`,
      [id, userId, new Date(context.clock.now())],
    )
    if (rows.length === 0) return false
    await recordActivity(tx, context, { userId, type: 'session.ended', status: 'success', address: origin.address })
    return true
  })
