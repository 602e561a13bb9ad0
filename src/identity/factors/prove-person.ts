import { accountBuckets, giveBackAll, takeAll, tooMany } from '../people/account-limits.ts'
import type { AccountClasses, Bucket, TooMany } from '../people/account-limits.ts'
import { recordRefusal } from '../people/activities.ts'
import type { IdentityContext, Origin } from '../context/context.ts'
import { guessBuckets, isGuess, tellOfGuesses } from './code-guesses.ts'
import { findKnownDevice } from '../sessions/devices.ts'
import { takeRecoveryCode } from './recovery-codes.ts'
import { hasFactor, readFactors } from '../sessions/second-factor.ts'
import type { Factor } from '../sessions/second-factor.ts'
import { findTotpStep, takeTotpCode } from './totp.ts'

/**
 * Attempts on the password and on the second factor are counted separately: failures with one do not use up the other.
 */
const PASSWORD: AccountClasses = { here: 'loginAccount', everywhere: 'loginAccountGlobal' }
const FACTOR: AccountClasses = { here: 'factorAccount', everywhere: 'factorAccountGlobal' }

/** A signed-in person, their session, and the secret of the device cookie. */
export type Person = { readonly userId: string; readonly sessionId: string; readonly device: string | null }

type Counting = (who: { account: string; device: string | null }, origin: Origin) => Bucket[]

const countedBy =
  (classes: AccountClasses): Counting =>
  (who, origin) =>
    accountBuckets(classes, who, origin)

type Attempt<Result> = {
  counting: Counting
  userId: string
  device: string | null
  check: () => Promise<Result | null>
}

/** Counts an attempt before it is made, and uncounts it when it succeeds. */
const counted = async <Result>(
  context: IdentityContext,
  { counting, userId, device, check }: Attempt<Result>,
  origin: Origin,
): Promise<{ ok: true; result: Result | null } | TooMany> => {
  const known = await findKnownDevice(context, { userId, secret: device })
  const buckets = counting({ account: userId, device: known }, origin)
  const limit = await takeAll(context, buckets)
  if (!limit.ok) return tooMany(limit)
  const result = await check()
  if (result !== null) await giveBackAll(context, buckets)
  return { ok: true, result }
}

export type CodeProof =
  { readonly ok: true; readonly factor: Factor } | { readonly ok: false; readonly code: 'INVALID_CODE' } | TooMany

/**
 * Accepts a code of the person's app or a recovery code. Each works once. Guesses at six digits are few a day, whoever
 * makes them; a recovery code is counted apart, so that an owner whose guesses are used up still has a way in.
 */
export const proveByCode = async (
  context: IdentityContext,
  { userId, device, code }: { userId: string; device: string | null; code: string },
  origin: Origin,
): Promise<CodeProof> => {
  const check = async (): Promise<Factor | null> => {
    if (await takeTotpCode(context, { userId, code })) return 'totp'
    return (await takeRecoveryCode(context, context.db, { userId, code })) ? 'recovery code' : null
  }
  const counting = isGuess(code) ? guessBuckets : countedBy(FACTOR)
  const answer = await counted(context, { counting, userId, device, check }, origin)
  if (!answer.ok) return answer
  if (answer.result) return { ok: true, factor: answer.result }
  await recordRefusal(context.db, context, { userId, type: 'login.code', address: origin.address })
  if (isGuess(code)) await tellOfGuesses(context, userId, origin)
  return { ok: false, code: 'INVALID_CODE' }
}

/**
 * Confirms a TOTP secret by its first code, under the limits of any other code. `confirm` consumes the time step, or
 * returns null; it may open a transaction, since no other query runs meanwhile.
 */
export const confirmByCode = async <Result>(
  context: IdentityContext,
  { userId, device, code }: { userId: string; device: string | null; code: string },
  { confirm, origin }: { confirm: (step: number) => Promise<Result | null>; origin: Origin },
): Promise<{ readonly ok: true; readonly result: Result | null } | TooMany> => {
  const check = async () => {
    const step = await findTotpStep(context, { userId, code, confirmed: false })
    return step === null ? null : confirm(step)
  }
  return counted(context, { counting: countedBy(FACTOR), userId, device, check }, origin)
}

export type PasswordProof = { readonly ok: true } | { readonly ok: false; readonly code: 'WRONG_PASSWORD' } | TooMany

/** Checks the password of a signed-in person again. */
export const proveByPassword = async (
  context: IdentityContext,
  { person, password }: { person: Person; password: string },
  origin: Origin,
): Promise<PasswordProof> => {
  const check = async () => {
    const [row] = await context.db.query<{ password_hash: string }>(
      'select password_hash from identity.credentials where user_id = $1',
      [person.userId],
    )
    return (await context.hasher.verify(password, row?.password_hash ?? null)) || null
  }
  const { userId, device } = person
  const answer = await counted(context, { counting: countedBy(PASSWORD), userId, device, check }, origin)
  if (!answer.ok) return answer
  return answer.result ? { ok: true } : { ok: false, code: 'WRONG_PASSWORD' }
}

/** A session that was opened with a second factor this recently needs no further code (ASVS 7.5.1). */
const FRESH_MS = 10 * 60_000

const isFresh = async ({ db, clock }: IdentityContext, person: Person): Promise<boolean> => {
  const rows = await db.query(
    `select 1 from identity.sessions where id = $1 and user_id = $2 and ended_at is null and factor is not null
       and created_at > $3`,
    [person.sessionId, person.userId, new Date(clock.now() - FRESH_MS)],
  )
  return rows.length > 0
}

export type Reproof =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: 'WRONG_PASSWORD' | 'WRONG_CODE' | 'CODE_NEEDED' }
  | TooMany

/**
 * Re-authenticates a signed-in person before a change that could let a thief stay: the password, and a code if the
 * account has a second factor that was not shown in the last ten minutes.
 */
export const proveAgain = async (
  context: IdentityContext,
  { person, password, code }: { person: Person; password: string; code: string | undefined },
  origin: Origin,
): Promise<Reproof> => {
  const byPassword = await proveByPassword(context, { person, password }, origin)
  if (!byPassword.ok) return byPassword
  if (!hasFactor(await readFactors(context.db, person.userId))) return { ok: true }
  if (code === undefined || code === '') {
    return (await isFresh(context, person)) ? { ok: true } : { ok: false, code: 'CODE_NEEDED' }
  }
  const byCode = await proveByCode(context, { ...person, code }, origin)
  if (byCode.ok || byCode.code !== 'INVALID_CODE') return byCode
  return { ok: false, code: 'WRONG_CODE' }
}
