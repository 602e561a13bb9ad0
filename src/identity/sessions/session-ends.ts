import { startRelay, type Relay } from '#platform/postgres/relay.ts'
import type { IdentityContext } from '../context/context.ts'
import type { Sql } from '../context/database.ts'

/** The channel on which a change that ended sessions says so. */
export const SESSION_CHANNEL = 'bakter_site_sessions'

const BATCH = 50
/** Access has to be over within 5 s: what could not be told is tried again in good time. */
const POLL_MS = 2_000

type Ended = { readonly userId: string; readonly sessionId: string }

export type SessionEndDeps = {
  readonly context: Pick<IdentityContext, 'db' | 'clock'>
  /** Tells the control plane, which closes the session's sockets. Called again when it is not known whether it heard. */
  readonly announce: (ended: Ended) => Promise<void>
  readonly onFailure: (error: unknown) => void
}

/** Notes that the control plane has been told of these ends. `sessionId` null stands for all of the person's. */
export const noteAnnounced = (
  sql: Sql,
  { userId, sessionId, nowMs }: { userId: string; sessionId: string | null; nowMs: number },
): Promise<unknown> =>
  sql.query(
    `update identity.sessions set announced_at = $3
     where user_id = $1 and ($2::uuid is null or id = $2::uuid) and ended_at is not null and announced_at is null`,
    [userId, sessionId, new Date(nowMs)],
  )

/** Tells the control plane of sessions that ended, oldest first. Resolves with whether more may wait. */
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
        // The rest waits too: the other side is away.
        onFailure(error)
        return false
      }
      await noteAnnounced(tx, { userId, sessionId, nowMs: context.clock.now() })
    }
    return rows.length === BATCH
  })

/** Tells of ended sessions when a transaction wakes it, and every two seconds. */
export const startSessionEnds = (deps: SessionEndDeps): Relay =>
  startRelay({
    db: deps.context.db,
    channel: SESSION_CHANNEL,
    pollMs: POLL_MS,
    drain: () => announceEnds(deps),
    onFailure: deps.onFailure,
  })
