import { createECDH } from 'node:crypto'
import type { PushSubscribe } from '#contracts/http/notification-settings.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'

/** More browsers than one person uses; beyond that the least recently seen one is removed. */
export const MAX_BROWSERS = 10

/** The lifetime of a refresh token (specification section 9): a session that was not seen for longer has ended. */
export const UNSEEN_LIFE_MS = 14 * 86_400_000

const SEEN_EVERY_MS = 86_400_000

type Session = { readonly userId: string; readonly sessionId: string }

/** Whether the key is a point of the curve: otherwise there is no shared secret to encrypt with. */
function isPoint(p256dh: string): boolean {
  const own = createECDH('prime256v1')
  own.generateKeys()
  try {
    own.computeSecret(p256dh, 'base64url')
    return true
  } catch {
    return false
  }
}

/**
 * Subscribes the browser of a session. A browser has one endpoint: the next person who signs in there takes it over.
 * Refuses invalid keys.
 */
export async function subscribePush(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  { session, subscription }: { session: Session; subscription: PushSubscribe },
): Promise<{ ok: true } | { ok: false; code: 'BAD_REQUEST' }> {
  const { endpoint, keys } = subscription
  if (!isPoint(keys.p256dh)) return { ok: false, code: 'BAD_REQUEST' }
  const now = new Date(clock.now())
  await db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(hashtext($1))', [`push:${session.userId}`])
    await tx.query('delete from control.push_subscriptions where endpoint = $1 or session_id = $2', [
      endpoint,
      session.sessionId,
    ])
    await tx.query(
      `insert into control.push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth, created_at, seen_at)
       values ($1, $2, $3, $4, $5, $6, $7, $7)`,
      [ids.next(), session.userId, session.sessionId, endpoint, keys.p256dh, keys.auth, now],
    )
    await tx.query(
      `delete from control.push_subscriptions where id in (
         select id from control.push_subscriptions where user_id = $1 order by seen_at desc, id desc offset $2)`,
      [session.userId, MAX_BROWSERS],
    )
  })
  return { ok: true }
}

/**
 * Unsubscribes the browser of a session, or with `sessionId` null all of the person's. Their queued pushes are deleted
 * too.
 */
export async function forgetBrowsers(sql: Sql, who: { userId: string; sessionId: string | null }): Promise<void> {
  await sql.query(
    'delete from control.push_subscriptions where user_id = $1 and ($2::uuid is null or session_id = $2::uuid)',
    [who.userId, who.sessionId],
  )
}

/** Records that the session of a subscribed browser is in use, once a day. */
export async function noteSeen({ db, clock }: Pick<Context, 'db' | 'clock'>, session: Session): Promise<void> {
  const nowMs = clock.now()
  await db.query('update control.push_subscriptions set seen_at = $2 where session_id = $1 and seen_at < $3', [
    session.sessionId,
    new Date(nowMs),
    new Date(nowMs - SEEN_EVERY_MS),
  ])
}
