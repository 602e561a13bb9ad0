import { startRelay, type Relay } from '#platform/postgres/relay.ts'
import type { IdentityContext } from '../context/context.ts'
import type { Sql } from '../context/database.ts'

/** The channel that announces ended sessions. */
export const SESSION_CHANNEL = 'bakter_site_sessions'

const BATCH = 50
/** Access must end within 5 s, so failed announcements are retried well within that. */
const POLL_MS = 2_000

type Ended = { readonly userId: string; readonly sessionId: string }

export type SessionEndDeps = {
  readonly context: Pick<IdentityContext, 'db' | 'clock'>
  /** Tells the control plane, which closes the session's sockets. Called again when the delivery is uncertain. */
  readonly announce: (ended: Ended) => Promise<void>
  readonly onFailure: (error: unknown) => void
}

/** Records that the control plane knows of these ends. `sessionId` null stands for all of the person's sessions. */
export const noteAnnounced = (
  sql: Sql,
  { userId, sessionId, nowMs }: { userId: string; sessionId: string | null; nowMs: number },
): Promise<unknown> =>
  sql.query(
    `update identity.sessions set announced_at = $3
     where user_id = $1 and ($2::uuid is null or id = $2::uuid) and ended_at is not null and announced_at is null`,
    [userId, sessionId, new Date(nowMs)],
  )

/** Announces ended sessions to the control plane, oldest first. Resolves with whether more may wait. */
export const announceEnds = async ({ context, announce, onFailure }: SessionEndDeps): Promise<boolean> =>
  context.db.transaction(async (tx) => {
    const rows = await tx.query<{ id: string; user_id: string }>(
      `select id, user_id from identity.sessions where ended_at is not null and announced_at is null
       order by ended_at limit ${BATCH} for update skip locked`,
    )
    for (const { id: sessionId, user_id: userId } of rows) {
      try {
        await announce({ userId, sessionId })
      } catch (error) {
        // The rest waits too, because the peer is down.
        onFailure(error)
        return false
      }
      await noteAnnounced(tx, { userId, sessionId, nowMs: context.clock.now() })
    }
    return rows.length === BATCH
  })

/** Announces ended sessions when a transaction notifies it, and every two seconds. */
export const startSessionEnds = (deps: SessionEndDeps): Relay =>
  startRelay({
    db: deps.context.db,
    channel: SESSION_CHANNEL,
    pollMs: POLL_MS,
    drain: () => announceEnds(deps),
    onFailure: deps.onFailure,
  })
