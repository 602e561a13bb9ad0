import type { RegisterRequest } from '#contracts/http/auth.ts'
import { recordConsents } from '../people/consents.ts'
import type { IdentityContext, Origin } from '../context/context.ts'
import type { Sql } from '../context/database.ts'
import { bucketKey } from '../context/limits.ts'
import { canReceive, enqueueMail, ONE_DAY_MINUTES } from '../mails/mail-outbox.ts'
import { takeMailboxShare } from '../mails/mailbox-share.ts'
import { noteCodeSent, sendEmailCode } from './verify-email.ts'
import { findMailbox, insertClaimant, insertPerson, isRegistrationOpen, NameTaken } from '../people/people.ts'

export type RegisterAnswer =
  | { readonly ok: true; readonly userId: string; readonly username: string }
  | { readonly ok: false; readonly code: 'USERNAME_TAKEN' | 'REGISTRATION_DISABLED' }
  | { readonly ok: false; readonly code: 'TOO_MANY_REQUESTS'; readonly retryAfterSeconds: number }

export type Registration = Pick<RegisterRequest, 'username' | 'email' | 'password'> & {
  readonly language: 'en' | 'hu' | 'de'
  readonly requestId?: string
}

type Written = { readonly ok: true; readonly email: string } | { readonly ok: false; readonly code: 'USERNAME_TAKEN' }

/** Notifies the owner of an address that somebody else entered it. Nobody else learns anything. */
const tellOwner = async (tx: Sql, context: IdentityContext, { email, requestId = '' }: Registration): Promise<void> => {
  const owner = await findMailbox(tx, email)
  if (!owner || !canReceive(owner)) return
  const content = {
    kind: 'register-attempt',
    params: { username: owner.username, path: '/auth/passwordreset' },
  } as const
  await enqueueMail(tx, context, {
    to: owner.email,
    language: owner.language,
    content,
    minutes: ONE_DAY_MINUTES,
    requestId,
  })
}

type Draft = {
  readonly userId: string
  readonly passwordHash: string
  readonly address: string
  /** Whether the mailbox may get one more mail. */
  readonly mayMail: boolean
}

const writeAccount = async (
  tx: Sql,
  context: IdentityContext,
  { registration, userId, passwordHash, address, mayMail }: Draft & { registration: Registration },
): Promise<Written> => {
  const nowMs = context.clock.now()
  const person = { ...registration, id: userId }
  const taken = await insertPerson(tx, person, { ids: context.ids, nowMs })
  if (taken === 'USERNAME_TAKEN') return { ok: false, code: taken }
  if (taken === 'EMAIL_TAKEN') await insertClaimant(tx, person, { ids: context.ids, nowMs })
  await tx.query('insert into identity.credentials (user_id, password_hash, changed_at) values ($1, $2, $3)', [
    userId,
    passwordHash,
    new Date(nowMs),
  ])
  await recordConsents(tx, context, { userId, occasion: 'registration', address })
  const { username, language, requestId = '' } = registration
  const email = registration.email.toLowerCase()
  if (!mayMail) return { ok: true, email }
  if (taken === null) await sendEmailCode(tx, context, { userId, username, email, language, requestId })
  else await tellOwner(tx, context, registration)
  return { ok: true, email }
}

/**
 * Creates an account: person, password, consents and mail in one transaction. The limit is checked before any hashing.
 * An address that belongs to another account gets the same response as any other: the account is created, its address
 * can never be verified, and the owner is notified by mail (clarifications part 3).
 */
export const register = async (
  context: IdentityContext,
  registration: Registration,
  origin: Origin,
): Promise<RegisterAnswer> => {
  const limit = await context.limits.take('register', bucketKey('register', origin))
  if (!limit.ok) return { ok: false, code: 'TOO_MANY_REQUESTS', retryAfterSeconds: limit.retryAfterSeconds }
  if (!(await isRegistrationOpen(context.db))) return { ok: false, code: 'REGISTRATION_DISABLED' }
  const passwordHash = await context.hasher.hash(registration.password)
  const userId = context.ids.next()
  const mayMail = await takeMailboxShare(context, registration.email)
  const draft = { registration, userId, passwordHash, address: origin.address, mayMail }
  const write = () => context.db.transaction((tx) => writeAccount(tx, context, draft))
  try {
    const answer = await write().catch((error: unknown) => {
      // Two registrations with the same address at once: the second finds it taken.
      if (error instanceof NameTaken && error.code === 'EMAIL_TAKEN') return write()
      throw error
    })
    if (!answer.ok) return answer
    await noteCodeSent(context, userId, origin.address)
    return { ok: true, userId, username: registration.username }
  } catch (error) {
    if (error instanceof NameTaken && error.code === 'USERNAME_TAKEN') return { ok: false, code: error.code }
    throw error
  }
}
