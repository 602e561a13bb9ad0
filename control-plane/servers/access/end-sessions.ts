import { LONGEST_TOKEN_SECONDS, TOKEN_SKEW_SECONDS } from '#contracts/panel/token.ts'
import type { Context } from '../../platform/context.ts'
import { forgetBrowsers } from '../../messages/push/push-subscriptions.ts'
import type { EventBus } from '../../platform/event-bus.ts'

/**
 * Ends sessions: open gateway sockets receive `logout` and close, nodes close the consoles of these sessions, and their
 * valid tokens open no new socket. Browsers of these sessions get no more pushes. `sessionId` null means all current
 * sessions of the user. SPEC.md G4, P12.
 */
export async function endSessions(
  deps: Pick<Context, 'db' | 'clock' | 'ids'> & { bus: EventBus },
  ended: { userId: string; sessionId: string | null },
): Promise<void> {
  const endedAtMs = deps.clock.now()
  await deps.db.query(
    `insert into control.ended_sessions (id, user_id, session_id, ended_at) values ($1, $2, $3, $4)`,
    [deps.ids.next(), ended.userId, ended.sessionId, new Date(endedAtMs)],
  )
  await forgetBrowsers(deps.db, ended)
  await deps.bus.publish({ topic: 'session-ended', data: ended })
  // Consoles are open on the nodes, not here: each node closes those of the session (SPEC.md P12).
  const revoked = { nodeId: null, serverId: null, ...ended, issuedBeforeMs: endedAtMs }
  await deps.bus.publish({ topic: 'console-revoked', data: revoked })
}

type EndedRow = { server_id: string | null; user_id: string; session_id: string | null; ended_at: Date }
type Ended = { serverId: string | null; userId: string; sessionId: string | null; issuedBeforeMs: number }

/** Ended sessions, and changed or ended shares, whose tokens may still be valid, in the format for nodes. */
export async function recentlyEnded(deps: Pick<Context, 'db' | 'clock'>): Promise<Ended[]> {
  const sinceMs = deps.clock.now() - (LONGEST_TOKEN_SECONDS + TOKEN_SKEW_SECONDS) * 1_000
  const rows = await deps.db.query<EndedRow>(
    `select null::uuid as server_id, user_id, session_id, ended_at from control.ended_sessions where ended_at > $1
     union all select server_id, user_id, null, revoked_at from control.revoked_shares where revoked_at > $1
     order by ended_at`,
    [new Date(sinceMs)],
  )
  return rows.map((row) => ({
    serverId: row.server_id,
    userId: row.user_id,
    sessionId: row.session_id,
    issuedBeforeMs: row.ended_at.getTime(),
  }))
}
