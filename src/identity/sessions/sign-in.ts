import { openChallenge } from './challenges.ts'
import type { Challenge } from './challenges.ts'
import type { IdentityContext, Origin } from '../context/context.ts'
import { readEraseAt } from '../people/deletion-rows.ts'
import { rememberDevice } from './devices.ts'
import { isSuspended } from '../people/people.ts'
import { openSession, PasswordReplaced } from './sessions.ts'
import type { NewSession, Tokens } from './sessions.ts'

/** The account is being deleted; the challenge lets its proven owner cancel the deletion. */
export type Leaving = {
  readonly ok: false
  readonly code: 'ACCOUNT_LEAVING'
  readonly challenge: Challenge
  readonly eraseAt: Date
}

export type SignedIn = { readonly ok: true; readonly tokens: Tokens; readonly device: string }
export type SignInAnswer =
  SignedIn | Leaving | { readonly ok: false; readonly code: 'ACCOUNT_SUSPENDED' | 'INVALID_CREDENTIALS' }

/**
 * Opens a session for a person who passed everything that the account requires, and remembers the device. Only the
 * owner learns that an account is suspended or being deleted.
 */
export const signIn = async (
  context: IdentityContext,
  who: NewSession & { readonly device: string | null },
  origin: Origin,
): Promise<SignInAnswer> => {
  const eraseAt = await readEraseAt(context.db, who.userId)
  if (eraseAt !== null) {
    const made = { purpose: 'undo deletion', userId: who.userId } as const
    return { ok: false, code: 'ACCOUNT_LEAVING', challenge: await openChallenge(context, made), eraseAt }
  }
  if (await isSuspended(context.db, who.userId)) return { ok: false, code: 'ACCOUNT_SUSPENDED' }
  const tokens = await openSession(context, who, origin).catch((error: unknown) => {
    if (error instanceof PasswordReplaced) return null
    throw error
  })
  if (tokens === null) return { ok: false, code: 'INVALID_CREDENTIALS' }
  return { ok: true, tokens, device: await rememberDevice(context, who.userId, who.device) }
}
