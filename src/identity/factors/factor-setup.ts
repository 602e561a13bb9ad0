import type { TooMany } from '../people/account-limits.ts'
import type { IdentityContext, Origin } from '../context/context.ts'
import type { Sql } from '../context/database.ts'
import { confirmByCode, proveAgain } from './prove-person.ts'
import type { Person, Reproof } from './prove-person.ts'
import { giveRecoveryCodes } from './recovery-codes.ts'
import { hasFactor, readFactors } from '../sessions/second-factor.ts'
import type { Factor } from '../sessions/second-factor.ts'
import { tellOfChange } from '../mails/security-mails.ts'
import { drawTotpSecret, keepTotpSecret, takeTotpStep } from './totp.ts'

type Refused = Extract<Reproof, { ok: false }>
type Proof = { readonly person: Person; readonly password: string; readonly code: string | undefined }

/** Draws a TOTP secret for the person's app. Its codes count only after the first one is confirmed. */
export const setUpTotp = async (
  context: IdentityContext,
  proof: Proof,
  origin: Origin,
): Promise<
  { readonly ok: true; readonly secret: string } | Refused | { readonly ok: false; readonly code: 'FACTOR_ON' }
> => {
  const proved = await proveAgain(context, proof, origin)
  if (!proved.ok) return proved
  const { userId } = proof.person
  if ((await readFactors(context.db, userId)).totp) return { ok: false, code: 'FACTOR_ON' }
  const secret = drawTotpSecret()
  await keepTotpSecret(context, userId, secret)
  return { ok: true, secret }
}

export type FactorOn = {
  readonly ok: true
  /** Shown once, with the person's first factor; null when recovery codes exist already. */
  readonly recoveryCodes: readonly string[] | null
  readonly endedSessions: readonly string[]
}

type NewFactor = { person: Person; factor: Factor; passkeyId?: string | null; isFirst: boolean }

/**
 * The consequences of a new factor: the session that set it up counts as opened with it, and every session that was
 * opened with the password alone ends. Runs in the transaction that creates the factor.
 */
export const factorIsOn = async (
  context: IdentityContext,
  tx: Sql,
  { person, factor, passkeyId = null, isFirst }: NewFactor,
): Promise<FactorOn> => {
  const { userId, sessionId } = person
  await tx.query(
    'update identity.sessions set factor = $3, passkey_id = $4 where id = $1 and user_id = $2 and factor is null',
    [sessionId, userId, factor, passkeyId],
  )
  const ended = await tx.query<{ id: string }>(
    `update identity.sessions set ended_at = $2, end_reason = 'second factor'
     where user_id = $1 and ended_at is null and factor is null returning id`,
    [userId, new Date(context.clock.now())],
  )
  const recoveryCodes = isFirst ? await giveRecoveryCodes(context, tx, userId) : null
  return { ok: true, recoveryCodes, endedSessions: ended.map(({ id }) => id) }
}

/** Enables the app's codes after the first one is confirmed. */
export const turnTotpOn = async (
  context: IdentityContext,
  { person, code }: { person: Person; code: string },
  origin: Origin,
): Promise<FactorOn | { readonly ok: false; readonly code: 'WRONG_CODE' } | TooMany> => {
  const { userId } = person
  const isFirst = !hasFactor(await readFactors(context.db, userId))
  const confirm = (step: number) =>
    context.db.transaction(async (tx) => {
      if (!(await takeTotpStep(tx, context, { userId, step, confirmed: false }))) return null
      await tellOfChange(tx, context, { userId, change: 'app-on', origin })
      return factorIsOn(context, tx, { person, factor: 'totp', isFirst })
    })
  const answer = await confirmByCode(context, { ...person, code }, { confirm, origin })
  if (!answer.ok) return answer
  return answer.result ?? { ok: false, code: 'WRONG_CODE' }
}

/**
 * The consequences of a removed factor. With the last one the recovery codes are deleted, and all sessions end if a
 * role requires a factor: the role then allows nothing, and its sockets have to close.
 */
export const factorIsOff = async (tx: Sql, userId: string): Promise<void> => {
  await tx.query('delete from identity.recovery_codes where user_id = $1 and not identity.has_factor($1)', [userId])
  await tx.query('select identity.end_roles_without_factor($1)', [userId])
}

/** Disables the app's codes. */
export const turnTotpOff = async (
  context: IdentityContext,
  proof: Proof,
  origin: Origin,
): Promise<{ readonly ok: true } | Refused | { readonly ok: false; readonly code: 'FACTOR_OFF' }> => {
  const proved = await proveAgain(context, proof, origin)
  if (!proved.ok) return proved
  return context.db.transaction(async (tx) => {
    const { userId } = proof.person
    const rows = await tx.query(
      'delete from identity.totp where user_id = $1 and confirmed_at is not null returning 1',
      [userId],
    )
    if (rows.length === 0) return { ok: false, code: 'FACTOR_OFF' }
    await factorIsOff(tx, userId)
    await tellOfChange(tx, context, { userId, change: 'app-off', origin })
    return { ok: true }
  })
}

/** Replaces all earlier recovery codes by ten new ones. */
export const renewRecoveryCodes = async (
  context: IdentityContext,
  proof: Proof,
  origin: Origin,
): Promise<
  | { readonly ok: true; readonly recoveryCodes: readonly string[] }
  | Refused
  | { readonly ok: false; readonly code: 'FACTOR_OFF' }
> => {
  const proved = await proveAgain(context, proof, origin)
  if (!proved.ok) return proved
  const { userId } = proof.person
  if (!hasFactor(await readFactors(context.db, userId))) return { ok: false, code: 'FACTOR_OFF' }
  const recoveryCodes = await context.db.transaction(async (tx) => {
    await tellOfChange(tx, context, { userId, change: 'recovery-codes', origin })
    return giveRecoveryCodes(context, tx, userId)
  })
  return { ok: true, recoveryCodes }
}
