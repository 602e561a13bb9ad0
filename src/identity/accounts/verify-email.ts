import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Locale } from '#contracts/locale.ts'
import { assert } from '#domain/kernel/assert.ts'
import { CODE_TRIES, codeFrom, PROOF_MINUTES, RESEND_SECONDS } from '#domain/users/proofs.ts'
import type { IdentityContext } from '../context/context.ts'
import type { Sql } from '../context/database.ts'
import { bucketKey } from '../context/limits.ts'
import { enqueueMail, MINUTE_MS } from '../mails/mail-outbox.ts'
import { takeMailboxShare } from '../mails/mailbox-share.ts'
import { takeAll, tooMany } from '../people/account-limits.ts'
import { readMailbox } from '../people/people.ts'

type Sealing = Pick<IdentityContext, 'ids' | 'clock' | 'sealSecret'>

// Six digits are quickly guessed from a plain hash: with the secret, the database alone is not enough.
const codeMac = ({ sealSecret }: Sealing, userId: string, code: string): Buffer =>
  createHmac('sha256', sealSecret).update(`e-mail code ${userId} ${code}`).digest()

const drawCode = ({ ids }: Sealing): string => {
  const code = codeFrom(ids.bytes(64))
  assert(code !== undefined, '64 random bytes hold a fair code')
  return code
}

export type CodeReceiver = {
  readonly userId: string
  readonly username: string
  readonly email: string
  readonly language: Locale
  readonly requestId: string
}

/** Draws a new code for the person's address and sends it; it voids every older code. */
export const sendEmailCode = async (tx: Sql, context: Sealing, receiver: CodeReceiver): Promise<void> => {
  const { userId, username, email, language, requestId } = receiver
  const code = drawCode(context)
  const nowMs = context.clock.now()
  const minutes = PROOF_MINUTES.code
  await tx.query(
    `insert into identity.email_codes (user_id, email, code_mac, created_at, expires_at) values ($1, $2, $3, $4, $5)
     on conflict (user_id) do update set email = excluded.email, code_mac = excluded.code_mac, tries = 0,
       created_at = excluded.created_at, expires_at = excluded.expires_at`,
    [userId, email, codeMac(context, userId, code), new Date(nowMs), new Date(nowMs + minutes * MINUTE_MS)],
  )
  const content = { kind: 'verify', params: { username, code, minutes } } as const
  await enqueueMail(tx, context, { to: email, language, content, minutes, requestId })
}

export type VerifyAnswer = { readonly ok: true } | { readonly ok: false; readonly code: 'INVALID_CODE' }

// The attempt is counted before the code is compared, so that parallel attempts cannot exceed the limit.
const TAKE_TRY = `
  update identity.email_codes set tries = tries + 1
  where user_id = $1 and tries < ${CODE_TRIES} and expires_at > $2
  returning email, code_mac`

/** Verifies the person's address by the code that was sent there. A code works once; a verified person needs none. */
export const verifyEmail = async (
  context: IdentityContext,
  { userId, code, email }: { userId: string; code: string; email?: string | undefined },
): Promise<VerifyAnswer> => {
  const mailbox = await readMailbox(context.db, userId)
  if (email !== undefined && email.toLowerCase() !== mailbox?.email) return { ok: false, code: 'INVALID_CODE' }
  if (mailbox?.verified) return { ok: true }
  const now = new Date(context.clock.now())
  const [taken] = await context.db.query<{ email: string; code_mac: Buffer }>(TAKE_TRY, [userId, now])
  const isRight = taken !== undefined && timingSafeEqual(taken.code_mac, codeMac(context, userId, code))
  if (!isRight) return { ok: false, code: 'INVALID_CODE' }
  return context.db.transaction(async (tx): Promise<VerifyAnswer> => {
    const used = await tx.query('delete from identity.email_codes where user_id = $1 and code_mac = $2 returning 1', [
      userId,
      taken.code_mac,
    ])
    if (used.length === 0) return { ok: false, code: 'INVALID_CODE' }
    // The code proves only the address to which it was sent.
    const confirmed = await tx.query(
      'update public.users set verified = true, updated_at = $3 where id = $1 and email = $2 returning 1',
      [userId, taken.email, now],
    )
    return confirmed.length > 0 ? { ok: true } : { ok: false, code: 'INVALID_CODE' }
  })
}

export type ResendAnswer =
  | { readonly ok: true; readonly resendAfterSeconds: number }
  | { readonly ok: false; readonly code: 'ALREADY_VERIFIED' }
  | { readonly ok: false; readonly code: 'TOO_MANY_REQUESTS'; readonly retryAfterSeconds: number }

/** Counts a code that is being sent: the next one has to wait, and an account gets few in an hour. */
export const noteCodeSent = (context: IdentityContext, userId: string, address: string) =>
  takeAll(
    context,
    (['resendCode', 'codeMails'] as const).map((name) => ({
      name,
      key: bucketKey(name, { address, account: userId }),
    })),
  )

/**
 * Sends a new code, once a minute and a few times an hour. An address that belongs to another account gets no mail, and
 * its owner is not notified. A mailbox that has got its share of mails gets none either, and the response does not say
 * so: others may have caused them.
 */
export const resendEmailCode = async (
  context: IdentityContext,
  { userId, address, requestId }: { userId: string; address: string; requestId: string },
): Promise<ResendAnswer> => {
  const mailbox = await readMailbox(context.db, userId)
  if (!mailbox || mailbox.verified) return { ok: false, code: 'ALREADY_VERIFIED' }
  const limit = await noteCodeSent(context, userId, address)
  if (!limit.ok) return tooMany(limit)
  if (mailbox.isTheirs && (await takeMailboxShare(context, mailbox.email)))
    await context.db.transaction((tx) => sendEmailCode(tx, context, { ...mailbox, userId, requestId }))
  return { ok: true, resendAfterSeconds: RESEND_SECONDS }
}
