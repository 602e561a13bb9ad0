import type { IdentityContext, Origin } from '../context/context.ts'
import { writePassword } from './credentials.ts'
import { proveAgain } from '../factors/prove-person.ts'
import type { Person, Reproof } from '../factors/prove-person.ts'
import { tellOfChange } from '../mails/security-mails.ts'
import { markAllEnded } from '../sessions/sessions.ts'

export type PasswordChange = {
  readonly person: Person
  readonly currentPassword: string
  /** A code of the second factor, if the account has one that was not shown recently. */
  readonly code?: string | undefined
  readonly password: string
}

export type ChangePasswordAnswer =
  /** The other sessions that ended; their sockets must be closed. */
  { readonly ok: true; readonly ended: readonly string[] } | (Reproof & { readonly ok: false })

/** Replaces the password of the signed-in person after re-authentication. Every other session of the person ends. */
export const changePassword = async (
  context: IdentityContext,
  { person, currentPassword, code, password }: PasswordChange,
  origin: Origin,
): Promise<ChangePasswordAnswer> => {
  const proved = await proveAgain(context, { person, password: currentPassword, code }, origin)
  if (!proved.ok) return proved
  const passwordHash = await context.hasher.hash(password)
  return context.db.transaction(async (tx) => {
    const { userId, sessionId: except } = person
    await writePassword(tx, context, { userId, passwordHash })
    await tellOfChange(tx, context, { userId, change: 'password', origin })
    return { ok: true, ended: await markAllEnded(tx, context, { userId, except, reason: 'password changed' }) }
  })
}
