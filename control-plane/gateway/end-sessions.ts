import type { Context } from '../platform/context.ts'
import type { EventBus } from '../platform/event-bus.ts'

/** How long an ended session is remembered: no token of it is valid any longer after that. */
export const ENDED_SESSION_LIFE_MS = 60 * 60_000

/**
 * Ends sessions for the gateway: open sockets get `logout` and close, and tokens that are still valid open no new one.
 * `sessionId` null means all sessions that the user has now. SPEC.md G4.
 */
export async function endSessions(
  deps: Pick<Context, 'db' | 'clock' | 'ids'> & { bus: EventBus },
  ended: { userId: string; sessionId: string | null },
): Promise<void> {
  await deps.db.query(
    `insert into control.ended_sessions (id, user_id, session_id, ended_at) values ($1, $2, $3, $4)`,
    [deps.ids.next(), ended.userId, ended.sessionId, new Date(deps.clock.now())],
  )
  await deps.bus.publish({ topic: 'session-ended', data: ended })
}
