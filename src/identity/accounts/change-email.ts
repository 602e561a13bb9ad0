import { PROOF_MINUTES } from '#domain/users/proofs.ts'
import { recordActivity } from '../people/activities.ts'
import type { IdentityContext, Origin } from '../context/context.ts'
import type { Sql } from '../context/database.ts'
import { bucketKey } from '../context/limits.ts'
import { drawLinkToken } from '../mails/link-tokens.ts'
import { canReceive, enqueueMail, MINUTE_MS } from '../mails/mail-outbox.ts'
import { takeMailboxShare } from '../mails/mailbox-share.ts'
import { freeAddress, NameTaken, readMailbox, replaceEmail } from '../people/people.ts'
import type { Mailbox } from '../people/people.ts'
import { proveAgain } from '../factors/prove-person.ts'
import type { Person, Reproof } from '../factors/prove-person.ts'
import { secretHash } from '../context/secret-hash.ts'
import { markAllEnded } from '../sessions/sessions.ts'

export type EmailWish = {
  readonly person: Person
  readonly email: string
  readonly password: string
  /** A code of the second factor, if the account has one that was not shown recently. */
  readonly code?: string | undefined
  readonly requestId: string
}

export type EmailWishAnswer = Reproof

const writeChange = async (
  tx: Sql,
  context: IdentityContext,
  { mailbox, email }: { mailbox: Mailbox; email: string },
) => {
  const { ids, clock } = context
  const nowMs = clock.now()
  const [confirm, undo] = [drawLinkToken(ids), drawLinkToken(ids)]
  const until = (minutes: number) => new Date(nowMs + minutes * MINUTE_MS)
  // The newest request replaces older ones; a confirmed change can still be undone.
  await tx.query('delete from identity.email_changes where user_id = $1 and confirmed_at is null', [mailbox.userId])
  await tx.query(
    `insert into identity.email_changes
       (id, user_id, old_email, new_email, confirm_hash, undo_hash, created_at, confirm_until, undo_until)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      ids.next(),
      mailbox.userId,
      mailbox.storedEmail,
      email,
      confirm.hash,
      undo.hash,
      new Date(nowMs),
      until(PROOF_MINUTES.emailChange),
      until(PROOF_MINUTES.emailUndo),
    ],
  )
  return { confirm: confirm.token, undo: undo.token }
}

/**
 * Requests a change of the e-mail address: the new address must confirm it, and the old one is notified and can undo
 * it. This step does not check whether the new address is taken, so its response reveals nothing (security case 15).
 */
export const askForEmailChange = async (
  context: IdentityContext,
  wish: EmailWish,
  origin: Origin,
): Promise<EmailWishAnswer> => {
  const { person, requestId, password, code } = wish
  const proved = await proveAgain(context, { person, password, code }, origin)
  if (!proved.ok) return proved
  const limit = await context.limits.take(
    'mailAccount',
    bucketKey('mailAccount', { ...origin, account: person.userId }),
  )
  if (!limit.ok) return { ok: false, code: 'TOO_MANY_REQUESTS', retryAfterSeconds: limit.retryAfterSeconds }
  const mailbox = await readMailbox(context.db, person.userId)
  const newEmail = wish.email.toLowerCase()
  if (!mailbox || mailbox.email === newEmail) return { ok: true }
  // Many accounts together cannot flood one mailbox either. The response stays the same, so it reveals nothing about
  // other senders.
  if (!(await takeMailboxShare(context, newEmail))) return { ok: true }
  const { username, language } = mailbox
  await context.db.transaction(async (tx) => {
    const tokens = await writeChange(tx, context, { mailbox, email: newEmail })
    const minutes = PROOF_MINUTES.emailChange
    const path = `/auth/email?confirm=${tokens.confirm}`
    const content = { kind: 'email-change', params: { username, newEmail, path, minutes } } as const
    await enqueueMail(tx, context, { to: newEmail, language, content, minutes, requestId })
    const undo = PROOF_MINUTES.emailUndo
    const params = { username, newEmail, path: `/auth/email?undo=${tokens.undo}`, minutes: undo }
    const notice = { kind: 'email-change-notice', params } as const
    if (!canReceive(mailbox)) return
    await enqueueMail(tx, context, { to: mailbox.email, language, content: notice, minutes: undo, requestId })
  })
  return { ok: true }
}

export type EmailLinkAnswer =
  | { readonly ok: true; readonly userId: string; readonly email: string }
  | { readonly ok: false; readonly code: 'LINK_INVALID' | 'EMAIL_TAKEN' }

type Change = { id: string; user_id: string; old_email: string; new_email: string; confirmed_at: Date | null }

const INVALID = { ok: false, code: 'LINK_INVALID' } as const

const inTransaction = async (
  { db }: IdentityContext,
  work: (tx: Sql) => Promise<EmailLinkAnswer>,
): Promise<EmailLinkAnswer> => {
  try {
    return await db.transaction(work)
  } catch (error) {
    if (error instanceof NameTaken) return { ok: false, code: 'EMAIL_TAKEN' }
    throw error
  }
}

// Proofs that were sent to the old address prove nothing about the new one.
const forgetProofs = async (tx: Sql, userId: string) => {
  await tx.query('delete from identity.reset_tokens where user_id = $1', [userId])
  await tx.query('delete from identity.email_codes where user_id = $1', [userId])
}

const isConfirmedChange = async (tx: Sql, { userId, email }: { userId: string; email: string }) => {
  const rows = await tx.query(
    'select 1 from identity.email_changes where user_id = $1 and new_email = $2 and confirmed_at is not null',
    [userId, email],
  )
  return rows.length > 0
}

/** Confirms the new address by the link that was sent there. The link works once, and the address is then verified. */
export const confirmEmailChange = (context: IdentityContext, token: string): Promise<EmailLinkAnswer> =>
  inTransaction(context, async (tx) => {
    const nowMs = context.clock.now()
    const [change] = await tx.query<Change>(
      `update identity.email_changes set confirmed_at = $2
       where confirm_hash = $1 and confirmed_at is null and undone_at is null and confirm_until > $2
       returning id, user_id, old_email, new_email, confirmed_at`,
      [secretHash(token), new Date(nowMs)],
    )
    if (!change) return INVALID
    const { user_id: userId, old_email: from, new_email: to } = change
    if (!(await replaceEmail(tx, { userId, from, to, nowMs }))) return INVALID
    await forgetProofs(tx, userId)
    await recordActivity(tx, context, { userId, type: 'security.email', status: 'success', address: '' })
    return { ok: true, userId, email: to }
  })

/**
 * Undoes a change by the link in the mail to the old address, before or after the change was confirmed. The old address
 * is restored, later changes are void, and all sessions end, which locks out an intruder.
 */
export const undoEmailChange = (context: IdentityContext, token: string): Promise<EmailLinkAnswer> =>
  inTransaction(context, async (tx) => {
    const nowMs = context.clock.now()
    const [change] = await tx.query<Change>(
      `update identity.email_changes set undone_at = $2
       where undo_hash = $1 and undone_at is null and undo_until > $2
       returning id, user_id, old_email, new_email, confirmed_at`,
      [secretHash(token), new Date(nowMs)],
    )
    if (!change) return INVALID
    const { user_id: userId, old_email: to } = change
    // Waits for a later change that is being confirmed at this moment, and undoes it too.
    await tx.query('select 1 from public.users where id = $1 for update', [userId])
    const mailbox = await readMailbox(tx, userId)
    if (!mailbox) return INVALID
    if (mailbox.storedEmail !== to) {
      // Staff have changed the address since: the link in the older mailbox is void.
      if (!(await isConfirmedChange(tx, { userId, email: mailbox.storedEmail }))) return INVALID
      // The author of the change could otherwise keep the address by registering with it.
      await freeAddress(tx, { email: to, owner: userId, nowMs })
      await replaceEmail(tx, { userId, from: mailbox.storedEmail, to, nowMs })
    }
    // An intruder may have requested more changes since: all of them are void, confirmed or not.
    await tx.query(
      'update identity.email_changes set undone_at = $2 where user_id = $1 and undone_at is null and id > $3',
      [userId, new Date(nowMs), change.id],
    )
    await forgetProofs(tx, userId)
    await markAllEnded(tx, context, { userId, reason: 'e-mail restored' })
    await recordActivity(tx, context, { userId, type: 'security.email-restored', status: 'success', address: '' })
    return { ok: true, userId, email: to }
  })
