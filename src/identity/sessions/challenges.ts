import { CHALLENGE_SECONDS } from '#contracts/http/auth.ts'
import type { IdentityContext } from '../context/context.ts'
import type { Sql } from '../context/database.ts'
import { secretHash } from '../context/secret-hash.ts'

/** The purpose of a challenge. It is looked up with its purpose, so that none serves another. */
export type ChallengePurpose = 'second factor' | 'passkey sign-in' | 'new passkey' | 'undo deletion'

/** The browser's two halves: `token` travels in bodies, `browser` in an HttpOnly cookie. */
export type Challenge = { readonly token: string; readonly browser: string }

export type OpenChallenge = {
  readonly userId: string | null
  readonly webauthn: string | null
  readonly openedAt: Date
}

/** Wrong answers allowed for one challenge. */
const MAX_ATTEMPTS = 5
const SECRET_BYTES = 32

const draw = ({ ids }: IdentityContext) => Buffer.from(ids.bytes(SECRET_BYTES)).toString('base64url')

type NewChallenge = {
  readonly purpose: ChallengePurpose
  readonly userId: string | null
  readonly webauthn?: string
  /** The secret of the browser's cookie, if it has one. */
  readonly browser?: string | null
}

/** Opens a challenge of five minutes for one browser. */
export const openChallenge = async (context: IdentityContext, made: NewChallenge): Promise<Challenge> => {
  const challenge = { token: draw(context), browser: made.browser ?? draw(context) }
  const nowMs = context.clock.now()
  await context.db.query(
    `insert into identity.challenges (hash, browser, purpose, user_id, webauthn, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      secretHash(challenge.token),
      secretHash(challenge.browser),
      made.purpose,
      made.userId,
      made.webauthn ?? null,
      new Date(nowMs),
      new Date(nowMs + CHALLENGE_SECONDS * 1_000),
    ],
  )
  return challenge
}

/** The halves of a challenge that a client presents; either may be missing. */
export type ShownChallenge = { readonly token: string; readonly browser: string | null }

const OPEN = 'hash = $1 and browser = $2 and purpose = $3 and used_at is null and expires_at > $4'

const valuesOf = (context: IdentityContext, shown: ShownChallenge, purpose: ChallengePurpose) => [
  secretHash(shown.token),
  secretHash(shown.browser ?? ''),
  purpose,
  new Date(context.clock.now()),
]

/**
 * Counts an attempt on a challenge and returns its person; null when this browser has no such challenge or no attempt
 * left, or the password has changed since.
 */
export const tryChallenge = async (
  context: IdentityContext,
  shown: ShownChallenge,
  purpose: ChallengePurpose,
): Promise<OpenChallenge | null> => {
  const [row] = await context.db.query<{ user_id: string | null; webauthn: string | null; created_at: Date }>(
    `update identity.challenges set attempts = attempts + 1 where ${OPEN} and attempts < ${MAX_ATTEMPTS}
       and not exists (select 1 from identity.credentials credential
                       where credential.user_id = challenges.user_id and credential.changed_at > challenges.created_at)
     returning user_id, webauthn, created_at`,
    valuesOf(context, shown, purpose),
  )
  return row ? { userId: row.user_id, webauthn: row.webauthn, openedAt: row.created_at } : null
}

/** Consumes a challenge; false when another response was faster. */
export const closeChallenge = async (
  context: IdentityContext,
  sql: Sql,
  { shown, purpose }: { shown: ShownChallenge; purpose: ChallengePurpose },
): Promise<boolean> => {
  const rows = await sql.query(
    `update identity.challenges set used_at = $4 where ${OPEN} returning 1`,
    valuesOf(context, shown, purpose),
  )
  return rows.length > 0
}

/** Deletes expired challenges. Resolves with their number. */
export const sweepChallenges = async (sql: Sql, clock: IdentityContext['clock']): Promise<number> =>
  (await sql.query('delete from identity.challenges where expires_at < $1 returning 1', [new Date(clock.now())])).length
