import { generateSecret, generateURI, verify } from 'otplib'
import type { IdentityContext } from '../context/context.ts'
import type { Sql } from '../context/database.ts'
import type { Place } from '../context/sealing.ts'
import { isGuess } from './code-guesses.ts'

/**
 * RFC 6238 as authenticator apps implement it: SHA-1, six digits, steps of 30 s, and a tolerance of one step either
 * way.
 */
const STEP_SECONDS = 30
const SECRET_BYTES = 20

const placeOf = (userId: string): Place => ({ table: 'totp', column: 'sealed_secret', row: userId })

/** Draws a secret for authenticator apps: 160 bits in base32. */
export const drawTotpSecret = (): string => generateSecret({ length: SECRET_BYTES })

/** The otpauth address for the QR code. */
export const totpUri = (input: { issuer: string; label: string; secret: string }): string => generateURI(input)

/** Stores an unconfirmed secret in place of an earlier unconfirmed one. */
export const keepTotpSecret = async (
  { db, sealer, clock }: IdentityContext,
  userId: string,
  secret: string,
): Promise<void> => {
  await db.query(
    `insert into identity.totp as kept (user_id, sealed_secret, created_at) values ($1, $2, $3)
     on conflict (user_id) do update set sealed_secret = excluded.sealed_secret, created_at = excluded.created_at, last_step = null
     where kept.confirmed_at is null`,
    [userId, await sealer.seal(Buffer.from(secret), placeOf(userId)), new Date(clock.now())],
  )
}

type Row = { sealed_secret: string }

/** The 30-second step of a code, or null for an invalid code. It does not consume the step. */
const stepOfCode = async (context: IdentityContext, { code, secret }: { code: string; secret: string }) => {
  const epoch = Math.floor(context.clock.now() / 1_000)
  const result = await verify({ secret, token: code, epoch, epochTolerance: STEP_SECONDS })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}

type Secret = {
  readonly userId: string
  /** Whether the secret already counts, or is being confirmed. */ readonly confirmed: boolean
}

const stateOf = ({ confirmed }: Secret) => (confirmed ? 'confirmed_at is not null' : 'confirmed_at is null')

/** The step of a code of the person's app, or null for a wrong code. It does not consume the step. */
export const findTotpStep = async (
  context: IdentityContext,
  { code, ...of }: Secret & { code: string },
): Promise<number | null> => {
  if (!isGuess(code)) return null
  const [row] = await context.db.query<Row>(
    `select sealed_secret from identity.totp where user_id = $1 and ${stateOf(of)}`,
    [of.userId],
  )
  if (!row) return null
  const secret = (await context.sealer.open(row.sealed_secret, placeOf(of.userId))).toString()
  return stepOfCode(context, { code, secret })
}

/** Consumes a step. False when that step or a later one was consumed before. */
export const takeTotpStep = async (
  sql: Sql,
  { clock }: Pick<IdentityContext, 'clock'>,
  { step, ...of }: Secret & { step: number },
): Promise<boolean> => {
  // The row accepts one of several concurrent codes: each must be newer than the last.
  const taken = await sql.query(
    `update identity.totp set last_step = $2, confirmed_at = coalesce(confirmed_at, $3)
     where user_id = $1 and ${stateOf(of)} and (last_step is null or last_step < $2) returning 1`,
    [of.userId, step, new Date(clock.now())],
  )
  return taken.length > 0
}

/** Consumes a code of the person's app: false for a wrong, used or outdated one. */
export const takeTotpCode = async (
  context: IdentityContext,
  { userId, code }: { userId: string; code: string },
): Promise<boolean> => {
  const step = await findTotpStep(context, { userId, code, confirmed: true })
  return step !== null && takeTotpStep(context.db, context, { userId, step, confirmed: true })
}
