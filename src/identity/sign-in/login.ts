import { giveBackAll, takeAll, tooMany } from '../people/account-limits.ts'
import type { TooMany } from '../people/account-limits.ts'
import { recordRefusal } from '../people/activities.ts'
import { closeChallenge, openChallenge, tryChallenge } from '../sessions/challenges.ts'
import type { Challenge, ShownChallenge } from '../sessions/challenges.ts'
import type { IdentityContext, Origin } from '../context/context.ts'
import { bucketKey } from '../context/limits.ts'
import { bucketsOf, provenAccount, whoIsNamed } from './named-accounts.ts'
import type { Account } from '../people/people.ts'
import { proveByCode } from '../factors/prove-person.ts'
import { hasFactor, readFactors } from '../sessions/second-factor.ts'
import type { FactorState } from '../sessions/second-factor.ts'
import { signIn } from '../sessions/sign-in.ts'
import type { SignInAnswer } from '../sessions/sign-in.ts'

export type LoginAnswer =
  | SignInAnswer
  | { readonly ok: false; readonly code: 'INVALID_CREDENTIALS' | 'INVALID_CODE' }
  /** The password was right, and the account requires a second factor. */
  | {
      readonly ok: false
      readonly code: 'OTP_REQUIRED'
      readonly challenge: Challenge
      readonly factors: Pick<FactorState, 'totp' | 'passkeys'>
    }
  | TooMany

/** `device` and `browser` are the secrets of the browser's cookies, if it has them. */
export type Login = {
  readonly name: string
  readonly password: string
  readonly device: string | null
  readonly browser?: string | null
  /** A code of the second factor, from a client that sends everything at once. */
  readonly code?: string | undefined
}

const afterPassword = async (
  context: IdentityContext,
  { account: { userId, passwordAt }, attempt }: { account: Account; attempt: Login },
  origin: Origin,
): Promise<LoginAnswer> => {
  const { device, code } = attempt
  const factors = await readFactors(context.db, userId)
  if (!hasFactor(factors)) return signIn(context, { userId, device, factor: null, passwordAt }, origin)
  if (code === undefined || code === '') {
    const browser = attempt.browser ?? null
    const challenge = await openChallenge(context, { purpose: 'second factor', userId, browser })
    return { ok: false, code: 'OTP_REQUIRED', challenge, factors }
  }
  const proof = await proveByCode(context, { userId, device, code }, origin)
  return proof.ok ? signIn(context, { userId, device, factor: proof.factor, passwordAt }, origin) : proof
}

const loginInTurn = async (context: IdentityContext, attempt: Login, origin: Origin): Promise<LoginAnswer> => {
  const named = await whoIsNamed(context, attempt)
  const buckets = bucketsOf(named, origin)
  const limit = await takeAll(context, buckets)
  if (!limit.ok) return tooMany(limit)
  const proven = await provenAccount(context, named, attempt)
  if (!proven) {
    // Both accounts log it: a missing line would reveal to the claimant that the address belongs to another account.
    for (const { account } of named) {
      const userId = account?.userId ?? null
      await recordRefusal(context.db, context, { userId, type: 'login', address: origin.address })
    }
    return { ok: false, code: 'INVALID_CREDENTIALS' }
  }
  // Only failures count against an account.
  await giveBackAll(context, buckets)
  return afterPassword(context, { account: proven, attempt }, origin)
}

/**
 * Signs in with a username or an e-mail address. Every limit is checked before a password is hashed; an unknown name
 * costs the same work and gets the same response as a wrong password. Tokens are issued only when the account requires
 * nothing more.
 */
export const login = async (context: IdentityContext, attempt: Login, origin: Origin): Promise<LoginAnswer> => {
  const address = await context.limits.take('login', bucketKey('login', origin))
  if (!address.ok) return tooMany(address)
  return context.hasher.turn(() => loginInTurn(context, attempt, origin))
}

/** The second step: a code for a challenge that the right password opened in the same browser. */
export type SecondStep = { readonly challenge: ShownChallenge; readonly code: string; readonly device: string | null }

export type SecondStepAnswer =
  | SignInAnswer
  /** `TOKEN_EXPIRED`: this browser has no such challenge, or no attempt left, and has to start again. */
  | { readonly ok: false; readonly code: 'INVALID_CODE' | 'TOKEN_EXPIRED' }
  | TooMany

/** Completes a two-step sign-in. The challenge serves one sign-in, of the person whose password was right. */
export const finishLogin = async (
  context: IdentityContext,
  { challenge: shown, code, device }: SecondStep,
  origin: Origin,
): Promise<SecondStepAnswer> => {
  const address = await context.limits.take('login', bucketKey('login', origin))
  if (!address.ok) return tooMany(address)
  const open = await tryChallenge(context, shown, 'second factor')
  if (!open || open.userId === null) return { ok: false, code: 'TOKEN_EXPIRED' }
  const { userId, openedAt: passwordAt } = open
  const proof = await proveByCode(context, { userId, device, code }, origin)
  if (!proof.ok) return proof
  const isFirst = await closeChallenge(context, context.db, { shown, purpose: 'second factor' })
  if (!isFirst) return { ok: false, code: 'TOKEN_EXPIRED' }
  return signIn(context, { userId, device, factor: proof.factor, passwordAt }, origin)
}
