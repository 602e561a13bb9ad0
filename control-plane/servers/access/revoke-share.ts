import type { Context } from '../../platform/context.ts'
import { enqueue } from '../../platform/outbox-writer.ts'
import type { Sql } from '#platform/postgres/database.ts'

type Writing = Pick<Context, 'ids' | 'clock'>
type Share = { readonly serverId: string; readonly userId: string }

/** A token whose permissions were read before the commit may be signed this much later. */
const COMMIT_MS = 1_000

/**
 * Makes a changed or ended share take effect where tokens are held: nodes close the sockets and cut the transfers that
 * such a token opened, and accept it no more. It is a message of the transaction, so it leaves exactly when the change
 * is committed; a row repeats it to nodes that are away. SPEC.md P12.
 */
export async function revokeShare(
  tx: Sql,
  context: Writing,
  { serverId, userId, requestId }: Share & { requestId: string },
): Promise<void> {
  const revokedAtMs = context.clock.now() + COMMIT_MS
  await tx.query(
    `insert into control.revoked_shares (server_id, user_id, revoked_at) values ($1, $2, $3)
     on conflict (server_id, user_id) do update set revoked_at = greatest(revoked_shares.revoked_at, excluded.revoked_at)`,
    [serverId, userId, new Date(revokedAtMs)],
  )
  const payload = { nodeId: null, serverId, userId, sessionId: null, issuedBeforeMs: revokedAtMs }
  await enqueue(tx, context, { topic: 'console-revoked', payload, requestId })
}

/** Revokes the tokens of a share at the moment of its end, to the second. Its row is removed by the next round. */
export async function revokeAtEnd(
  tx: Sql,
  context: Writing,
  { serverId, userId, endsAtMs, requestId }: Share & { endsAtMs: number | null; requestId: string },
): Promise<void> {
  if (endsAtMs === null) return
  const payload = { nodeId: null, serverId, userId, sessionId: null, issuedBeforeMs: endsAtMs }
  const delayMs = Math.max(0, endsAtMs - context.clock.now())
  await enqueue(tx, context, { topic: 'console-revoked', payload, requestId, delayMs })
}

/** Timers may fire this much before their time. */
const EARLY_MS = 2

/**
 * The moment at which a token may be asked for: nodes refuse one that is not younger than the last change of its holder's
 * share, or of the share of the collaborator as whom its holder looks. A page that has just heard of the change asks at once, and waits here for up to two seconds; one whose share is gone
 * learns that at once.
 */
export async function whenUnrevoked(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { serverId, userId }: Share,
): Promise<number> {
  const [row] = await db.query<{ revoked_at: Date }>(
    `select r.revoked_at from control.revoked_shares r join control.server_users u using (server_id, user_id)
     where r.server_id = $1 and r.user_id = $2`,
    [serverId, userId],
  )
  const nowMs = clock.now()
  // A token says its age in whole seconds.
  const readyAtMs = Math.ceil((row?.revoked_at.getTime() ?? 0) / 1_000) * 1_000
  const waitMs = Math.min(readyAtMs - nowMs, COMMIT_MS + 1_000)
  if (waitMs <= 0) return nowMs
  await new Promise((resolve) => setTimeout(resolve, waitMs + EARLY_MS))
  return clock.now()
}
