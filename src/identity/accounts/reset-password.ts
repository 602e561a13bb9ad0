import { isLocale } from '../../i18n/locales.ts'
import type { Locale } from '#contracts/locale.ts'
import { PROOF_MINUTES } from '#domain/users/proofs.ts'
import type { TooMany } from '../people/account-limits.ts'
import type { IdentityContext, Origin } from '../context/context.ts'
import { writePassword } from './credentials.ts'
import type { Sql } from '../context/database.ts'
import { takeFactorsBack } from '../mails/factor-undo.ts'
import { bucketKey, mailboxKey } from '../context/limits.ts'
import { drawLinkToken } from '../mails/link-tokens.ts'
import { canReceive, enqueueMail, MAIL_CHANNEL, MINUTE_MS } from '../mails/mail-outbox.ts'
import { takeMailboxShare } from '../mails/mailbox-share.ts'
import { findMailbox } from '../people/people.ts'
import { tellOfChange } from '../mails/security-mails.ts'
import { secretHash } from '../context/secret-hash.ts'
import { markAllEnded } from '../sessions/sessions.ts'

/**
 * Requests a password reset link. Whether the address has an account is checked only after the response, so neither the
 * response nor its duration depends on it (security case 15).
 */
export const askForReset = async (
  context: IdentityContext,
  wish: { email: string; language: Locale; requestId: string },
  origin: Origin,
): Promise<{ readonly ok: true } | TooMany> => {
  const { limits, ids, clock, db } = context
  const account = mailboxKey(wish.email)
  for (const name of ['resetAddress', 'resetMailbox'] as const) {
    const limit = await limits.take(name, bucketKey(name, { ...origin, account }))
    if (!limit.ok) return { ok: false, code: 'TOO_MANY_REQUESTS', retryAfterSeconds: limit.retryAfterSeconds }
  }
  // Beyond this the mailbox has received enough mails, whoever requested them: the response stays the same, and nothing
  // is sent.
  if (!(await takeMailboxShare(context, wish.email))) return { ok: true }
  await db.query(
    `with written as (
       insert into identity.reset_requests (id, email, language, request_id, created_at) values ($1, $2, $3, $4, $5)
       returning id)
     select pg_notify('${MAIL_CHANNEL}', '') from written`,
    [ids.next(), wish.email.toLowerCase(), wish.language, wish.requestId, new Date(clock.now())],
  )
  return { ok: true }
}

type Wish = { id: string; email: string; language: string; request_id: string }

const BATCH = 20

const answerWish = async (tx: Sql, context: IdentityContext, wish: Wish): Promise<void> => {
  const mailbox = await findMailbox(tx, wish.email)
  if (!mailbox || !canReceive(mailbox)) return
  const nowMs = context.clock.now()
  const { token, hash } = drawLinkToken(context.ids)
  const minutes = PROOF_MINUTES.reset
  // Only a person's newest link works.
  await tx.query(
    `insert into identity.reset_tokens (user_id, hash, email, created_at, expires_at) values ($1, $2, $3, $4, $5)
     on conflict (user_id) do update set hash = excluded.hash, email = excluded.email, created_at = excluded.created_at,
       expires_at = excluded.expires_at`,
    [mailbox.userId, hash, mailbox.email, new Date(nowMs), new Date(nowMs + minutes * MINUTE_MS)],
  )
  const { username, email } = mailbox
  const content = { kind: 'reset', params: { username, path: `/auth/passwordreset?token=${token}`, minutes } } as const
  const language = isLocale(wish.language) ? wish.language : mailbox.language
  await enqueueMail(tx, context, { to: email, language, content, minutes, requestId: wish.request_id })
}

/** Processes the waiting requests: a link is sent if the address has an account. Resolves with their number. */
export const answerResetRequests = (context: IdentityContext): Promise<number> =>
  context.db.transaction(async (tx) => {
    const wishes = await tx.query<Wish>(
      `select id, email, language, request_id from identity.reset_requests order by created_at, id limit ${BATCH}
       for update skip locked`,
    )
    for (const wish of wishes) {
      await answerWish(tx, context, wish)
      await tx.query('delete from identity.reset_requests where id = $1', [wish.id])
    }
    return wishes.length
  })

export type ResetAnswer =
  { readonly ok: true; readonly userId: string } | { readonly ok: false; readonly code: 'LINK_INVALID' }

const STILL_VALID = `
  select 1 from identity.reset_tokens token join public.users person on person.id = token.user_id and person.email = token.email
  where token.hash = $1 and token.expires_at > $2
  union all
  select 1 from identity.factor_undo_links link join public.users person on person.id = link.user_id and person.email = link.email
  where link.hash = $1 and link.expires_at > $2`

/** Consumes the link: of several requests at once one gets the row. The address must still belong to the person. */
const takeToken = async (tx: Sql, hash: Buffer, now: Date): Promise<string | null> => {
  const [row] = await tx.query<{ user_id: string }>(
    `delete from identity.reset_tokens token using public.users person
     where token.hash = $1 and token.expires_at > $2 and person.id = token.user_id and person.email = token.email
     returning token.user_id`,
    [hash, now],
  )
  return row?.user_id ?? null
}

/**
 * Sets a new password by a link, which works once. All sessions of the person end, and no new one begins, so a second
 * factor is still required; a recently added factor is removed if the link comes from the mail that reported it. Only a
 * valid link causes a password to be hashed.
 */
export const resetPassword = async (
  context: IdentityContext,
  { token, password }: { token: string; password: string },
  origin: Origin,
): Promise<ResetAnswer> => {
  const hash = secretHash(token)
  const now = new Date(context.clock.now())
  if ((await context.db.query(STILL_VALID, [hash, now])).length === 0) return { ok: false, code: 'LINK_INVALID' }
  const passwordHash = await context.hasher.hash(password)
  return context.db.transaction(async (tx): Promise<ResetAnswer> => {
    const at = new Date(context.clock.now())
    const asked = await takeToken(tx, hash, at)
    const takenBack = asked === null ? await takeFactorsBack(tx, { hash, now: at }) : null
    const userId = asked ?? takenBack?.userId
    if (userId === undefined) return { ok: false, code: 'LINK_INVALID' }
    await writePassword(tx, context, { userId, passwordHash })
    if (takenBack?.app) await tellOfChange(tx, context, { userId, change: 'app-off', origin })
    if (takenBack && takenBack.passkeys > 0)
      await tellOfChange(tx, context, { userId, change: 'passkey-removed', origin })
    await tellOfChange(tx, context, { userId, change: 'password', origin })
    await markAllEnded(tx, context, { userId, reason: 'password reset' })
    return { ok: true, userId }
  })
}
