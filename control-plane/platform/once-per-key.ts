import { createHash } from 'node:crypto'
import type { Sql } from '#platform/postgres/database.ts'

export type KeyedRequest = {
  /** The name of the sold thing, or of the action. */
  readonly scope: string
  readonly userId: string
  readonly key: string
  readonly body: unknown
  readonly atMs: number
}

export type KeyRefusal = { readonly ok: false; readonly code: 'IN_PROGRESS' | 'IDEMPOTENCY_MISMATCH' }

/**
 * Runs `work` once per key, inside the caller's transaction: its writes and its result are committed together. A
 * repetition returns the stored result; another body IDEMPOTENCY_MISMATCH; the same key while the first call still runs
 * IN_PROGRESS. The claim is a lock of the transaction, so a crash releases it at once. A refusal stores nothing.
 */
export async function oncePerKey<Answer extends object, Refusal extends { readonly ok: false }>(
  tx: Sql,
  request: KeyedRequest,
  work: () => Promise<{ readonly ok: true; readonly answer: Answer } | Refusal>,
): Promise<{ readonly ok: true; readonly answer: Answer; readonly replayed: boolean } | Refusal | KeyRefusal> {
  const { scope, userId, key } = request
  const [claim] = await tx.query<{ claimed: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 727)) as claimed',
    [`${scope}:${userId}:${key}`],
  )
  if (!claim?.claimed) return { ok: false, code: 'IN_PROGRESS' }
  const hash = createHash('sha256').update(canonical(request.body)).digest()
  const [stored] = await tx.query<{ request_hash: Buffer; answer: Answer }>(
    'select request_hash, answer from control.idempotency_keys where scope = $1 and user_id = $2 and key = $3',
    [scope, userId, key],
  )
  if (stored) {
    if (!stored.request_hash.equals(hash)) return { ok: false, code: 'IDEMPOTENCY_MISMATCH' }
    return { ok: true, answer: stored.answer, replayed: true }
  }
  const result = await work()
  if (!result.ok) return result
  const at = new Date(request.atMs)
  await tx.query(
    `insert into control.idempotency_keys (scope, user_id, key, request_hash, answer, locked_until, created_at)
     values ($1, $2, $3, $4, $5, $6, $6)`,
    [scope, userId, key, hash, JSON.stringify(result.answer), at],
  )
  return { ok: true, answer: result.answer, replayed: false }
}

/** JSON with sorted keys, so that the order of a client's fields does not matter. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
