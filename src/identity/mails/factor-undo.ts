import type { IdentityContext } from '../context/context.ts'
import type { Sql } from '../context/database.ts'
import { drawLinkToken } from './link-tokens.ts'
import type { Mailbox } from '../people/people.ts'

/** For this long the mailbox outranks a new second factor, which a thief may have added. */
export const FACTOR_UNDO_MS = 7 * 86_400_000

const YOUNG = `
  select min(at) as since, max(at) as newest
  from (select confirmed_at as at from identity.totp where user_id = $1
        union all select created_at from identity.passkeys where user_id = $1) added
  where at > $2`

/** The target of a mail's link, and whether its page also removes second factors. */
export type WayToSafety = { readonly path: string; readonly takesFactorsAway: boolean }

/**
 * The link for mails about an account's sign-in: to a page that sets a new password. While a second factor is recent,
 * the link also removes it, and everything added after it.
 */
export const wayToSafety = async (
  tx: Sql,
  { ids, clock }: Pick<IdentityContext, 'ids' | 'clock'>,
  mailbox: Mailbox,
): Promise<WayToSafety> => {
  const path = '/auth/passwordreset'
  const plain = { path, takesFactorsAway: false }
  // An unverified address may belong to anybody, so it removes no factor.
  if (!mailbox.verified) return plain
  const nowMs = clock.now()
  const [young] = await tx.query<{ since: Date | null; newest: Date | null }>(YOUNG, [
    mailbox.userId,
    new Date(nowMs - FACTOR_UNDO_MS),
  ])
  if (!young?.since || !young.newest) return plain
  const { token, hash } = drawLinkToken(ids)
  const expiresAt = new Date(young.newest.getTime() + FACTOR_UNDO_MS)
  await tx.query(
    `insert into identity.factor_undo_links (hash, user_id, email, since, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [hash, mailbox.userId, mailbox.storedEmail, young.since, new Date(nowMs), expiresAt],
  )
  return { path: `${path}?token=${token}`, takesFactorsAway: true }
}

export type TakenBack = { readonly userId: string; readonly app: boolean; readonly passkeys: number }

/**
 * Consumes such a link, and removes every factor and recovery code that was added since. All other links of the person
 * are void. Null when the link is invalid, or the address no longer belongs to the person.
 */
export const takeFactorsBack = async (
  tx: Sql,
  { hash, now }: { hash: Buffer; now: Date },
): Promise<TakenBack | null> => {
  const [link] = await tx.query<{ user_id: string; since: Date }>(
    `delete from identity.factor_undo_links link using public.users person
     where link.hash = $1 and link.expires_at > $2 and person.id = link.user_id and person.email = link.email
     returning link.user_id, link.since`,
    [hash, now],
  )
  if (!link) return null
  const added = [link.user_id, link.since]
  // An unconfirmed secret may have been drawn by whoever had the session.
  const apps = await tx.query<{ confirmed: boolean }>(
    `delete from identity.totp where user_id = $1 and (confirmed_at is null or confirmed_at >= $2)
     returning confirmed_at is not null as confirmed`,
    added,
  )
  const passkeys = await tx.query(
    'delete from identity.passkeys where user_id = $1 and created_at >= $2 returning 1',
    added,
  )
  await tx.query('delete from identity.recovery_codes where user_id = $1 and created_at >= $2', added)
  await tx.query('delete from identity.factor_undo_links where user_id = $1', [link.user_id])
  return { userId: link.user_id, app: apps.some(({ confirmed }) => confirmed), passkeys: passkeys.length }
}
