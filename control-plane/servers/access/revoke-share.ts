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
