import { REFRESH_TOKEN_SECONDS } from '#contracts/http/auth.ts'
import { recordActivity } from '../people/activities.ts'
import { mintAccessToken } from '../keys/access-tokens.ts'
import type { Subject } from '../keys/access-tokens.ts'
import type { IdentityContext, Origin } from '../context/context.ts'
import type { Sql } from '../context/database.ts'
import { decideRefresh } from './refresh-decision.ts'
import { secretHash } from '../context/secret-hash.ts'
import type { Factor } from './second-factor.ts'
import { tellOfCopy } from '../mails/security-mails.ts'

/** A signed-in client's tokens. `refreshToken` leaves the program once, and only its SHA-256 is stored. */
export type Tokens = { readonly accessToken: string; readonly refreshToken: string; readonly subject: Subject }

const REFRESH_TOKEN_BYTES = 32

type NewToken = { sessionId: string; parent: Buffer | null; nowMs: number }

const addRefreshToken = async (tx: Sql, context: IdentityContext, { sessionId, parent, nowMs }: NewToken) => {
  const token = Buffer.from(context.ids.bytes(REFRESH_TOKEN_BYTES)).toString('base64url')
  const expiresAt = new Date(nowMs + REFRESH_TOKEN_SECONDS * 1_000)
  await tx.query(
    `insert into identity.refresh_tokens (hash, session_id, parent, issued_at, expires_at) values ($1, $2, $3, $4, $5)`,
    [secretHash(token), sessionId, parent, new Date(nowMs), expiresAt],
  )
  await tx.query('update identity.sessions set last_used_at = $2, expires_at = $3 where id = $1', [
    sessionId,
    new Date(nowMs),
    expiresAt,
  ])
  return token
}

const accessToken = async (context: IdentityContext, subject: Subject, nowMs: number) =>
  mintAccessToken({ subject, nowMs, ids: context.ids, key: await context.keys.signing() })

/**
 * A session was requested with the password alone for a person who has a second factor or is suspended, or with a
 * removed passkey.
 */
export class FactorMissing extends Error {
  override name = 'FactorMissing'
}

/** The password of this sign-in was replaced meanwhile. */
export class PasswordReplaced extends Error {
  override name = 'PasswordReplaced'
}

// A change of the password holds this row until the old sessions have ended: a concurrent sign-in waits for it, and
// then sees the newer password. Compared times have whole milliseconds.
const LOCK_PASSWORD = `
  select coalesce(date_trunc('milliseconds', changed_at) > $2, false) as replaced
  from identity.credentials where user_id = $1 for share`

// The one place where sessions begin: every way to sign in ends here, and without the required factor there is no
// session.
const INSERT_SESSION = `
  insert into identity.sessions (id, user_id, created_at, last_used_at, expires_at, address, user_agent, factor, passkey_id)
  select $1, $2, $3::timestamptz, $3::timestamptz, $3::timestamptz, $4, $5, $6::text, $7::uuid
  where ($6::text is not null or not identity.has_factor($2)) and not identity.is_suspended($2)
    and ($7::uuid is null or exists (select 1 from identity.passkeys where id = $7::uuid)) returning 1`

export type NewSession = {
  readonly userId: string
  readonly factor: Factor | null
  /** The presented passkey; null for any other factor. */
  readonly passkeyId?: string | null
  /** The time at which the checked password was set; null without a password. */
  readonly passwordAt?: Date | null
}

/**
 * Opens a new session for a person who passed everything that the account requires. Throws FactorMissing and
 * PasswordReplaced.
 */
export const openSession = async (
  context: IdentityContext,
  { userId, factor, passkeyId = null, passwordAt = null }: NewSession,
  origin: Origin,
): Promise<Tokens> => {
  const nowMs = context.clock.now()
  const subject = { userId, sessionId: context.ids.next() }
  const access = await accessToken(context, subject, nowMs)
  const refreshToken = await context.db.transaction(async (tx) => {
    const [password] = await tx.query<{ replaced: boolean }>(LOCK_PASSWORD, [userId, passwordAt])
    if (password?.replaced) throw new PasswordReplaced('The password that was shown is not the present one.')
    const { address, userAgent } = origin
    const values = [subject.sessionId, userId, new Date(nowMs), address, userAgent.slice(0, 300), factor, passkeyId]
    const made = await tx.query(INSERT_SESSION, values)
    if (made.length === 0)
      throw new FactorMissing('This account has a second factor that was not shown, or is suspended.')
    await recordActivity(tx, context, { userId, type: 'login', status: 'success', address: origin.address })
    return addRefreshToken(tx, context, { sessionId: subject.sessionId, parent: null, nowMs })
  })
  return { accessToken: access, refreshToken, subject }
}

type TokenRow = {
  session_id: string
  user_id: string
  token_expires_at: Date
  used_at: Date | null
  session_expires_at: Date
  ended_at: Date | null
  lacks_factor: boolean
  is_suspended: boolean
}

// The session's row is locked, so that tokens of one family are rotated one after another.
const READ_TOKEN = `
  select token.session_id, session.user_id, token.expires_at as token_expires_at, token.used_at,
         session.expires_at as session_expires_at, session.ended_at,
         session.factor is null and identity.has_factor(session.user_id) as lacks_factor,
         identity.is_suspended(session.user_id) as is_suspended
  from identity.refresh_tokens token join identity.sessions session on session.id = token.session_id
  where token.hash = $1 for update of session`

// The row may have changed while this transaction waited for the lock, so the token is read again.
const READ_USE = `
  select used_at, (select count(*)::int from identity.refresh_tokens child where child.parent = token.hash) as successors
  from identity.refresh_tokens token where hash = $1`

const readRefreshState = async (tx: Sql, hash: Buffer) => {
  const [row] = await tx.query<TokenRow>(READ_TOKEN, [hash])
  if (!row) return { row: undefined, state: { successors: 0 } }
  const [use] = await tx.query<{ used_at: Date | null; successors: number }>(READ_USE, [hash])
  return {
    row,
    state: {
      token: { expiresAtMs: row.token_expires_at.getTime(), usedAtMs: use?.used_at?.getTime() ?? null },
      session: { expiresAtMs: row.session_expires_at.getTime(), endedAtMs: row.ended_at?.getTime() ?? null },
      successors: use?.successors ?? 0,
    },
  }
}

// A sibling that another tab received is marked used together with the one in use: presenting it later proves a copy.
const MARK_USED = `
  update identity.refresh_tokens set used_at = $2
  where used_at is null and session_id = $3
    and (hash = $1 or parent = (select parent from identity.refresh_tokens where hash = $1))`

export type RefreshAnswer =
  | { readonly ok: true; readonly tokens: Tokens }
  | { readonly ok: false; readonly code: 'TOKEN_EXPIRED' | 'UNAUTHENTICATED' }
  /** The family was ended; its sockets must be closed. */
  | { readonly ok: false; readonly code: 'TOKEN_REUSED'; readonly ended: Subject }

/**
 * Rotates a refresh token to a new pair. A token that was rotated before ends the whole family, and its owner is
 * notified by mail.
 */
export const refreshSession = async (
  context: IdentityContext,
  presented: string,
  { address }: Pick<Origin, 'address'> = { address: '' },
): Promise<RefreshAnswer> => {
  const nowMs = context.clock.now()
  const hash = secretHash(presented)
  const traded = await context.db.transaction(
    async (tx): Promise<RefreshAnswer | { next: string; subject: Subject }> => {
      const { row, state } = await readRefreshState(tx, hash)
      const decision = decideRefresh(state, nowMs)
      if (!row || decision === 'unknown') return { ok: false, code: 'UNAUTHENTICATED' }
      if (decision === 'expired') return { ok: false, code: 'TOKEN_EXPIRED' }
      const subject = { userId: row.user_id, sessionId: row.session_id }
      if (decision === 'reused') {
        await markEnded(tx, { where: 'id', id: row.session_id, reason: 'token reused', nowMs })
        await tellOfCopy(tx, context, { userId: row.user_id, address })
        return { ok: false, code: 'TOKEN_REUSED', ended: subject }
      }
      // Opened with the password alone, before the person added a factor.
      if (row.lacks_factor || row.is_suspended) {
        const reason = row.is_suspended ? 'account suspended' : 'second factor'
        await markEnded(tx, { where: 'id', id: row.session_id, reason, nowMs })
        return { ok: false, code: 'TOKEN_EXPIRED' }
      }
      if (decision === 'rotate') await tx.query(MARK_USED, [hash, new Date(nowMs), row.session_id])
      return { next: await addRefreshToken(tx, context, { sessionId: row.session_id, parent: hash, nowMs }), subject }
    },
  )
  if ('ok' in traded) return traded
  const access = await accessToken(context, traded.subject, nowMs)
  return { ok: true, tokens: { accessToken: access, refreshToken: traded.next, subject: traded.subject } }
}

export type EndReason =
  | 'logout'
  | 'logout everywhere'
  | 'token reused'
  | 'second factor'
  | 'passkey removed'
  | 'account suspended'
  | 'password changed'
  | 'password reset'
  | 'e-mail restored'
  | 'account leaving'

type Ending = {
  where: 'id' | 'user_id'
  id: string
  reason: EndReason
  nowMs: number
}

const markEnded = (sql: Sql, { where, id, reason, nowMs }: Ending) =>
  sql.query(`update identity.sessions set ended_at = $2, end_reason = $3 where ${where} = $1 and ended_at is null`, [
    id,
    new Date(nowMs),
    reason,
  ])

/**
 * Ends all sessions of a person but `except` inside the caller's transaction. Resolves with the ids of the ended ones.
 */
export const markAllEnded = async (
  tx: Sql,
  { clock }: Pick<IdentityContext, 'clock'>,
  { userId, except, reason }: { userId: string; except?: string; reason: EndReason },
): Promise<string[]> => {
  const rows = await tx.query<{ id: string }>(
    `update identity.sessions set ended_at = $2, end_reason = $3
     where user_id = $1 and ended_at is null and ($4::uuid is null or id <> $4::uuid) returning id`,
    [userId, new Date(clock.now()), reason, except ?? null],
  )
  return rows.map((row) => row.id)
}

/** Ends one session, or all of the person's. Access tokens of an ended session are refused at once. */
export const endSession = async (context: IdentityContext, subject: Subject, all: boolean): Promise<void> => {
  const nowMs = context.clock.now()
  await markEnded(
    context.db,
    all
      ? { where: 'user_id', id: subject.userId, reason: 'logout everywhere', nowMs }
      : { where: 'id', id: subject.sessionId, reason: 'logout', nowMs },
  )
}

/**
 * The owner of a refresh token while its session is active: a browser with an expired access token can still sign out.
 */
export const subjectOfRefreshToken = async (context: IdentityContext, presented: string): Promise<Subject | null> => {
  const [row] = await context.db.query<{ user_id: string; session_id: string }>(
    `select session.user_id, session.id as session_id
     from identity.refresh_tokens token join identity.sessions session on session.id = token.session_id
     where token.hash = $1 and session.ended_at is null`,
    [secretHash(presented)],
  )
  return row ? { userId: row.user_id, sessionId: row.session_id } : null
}

/**
 * The condition of an active session, on `session` with its id as $1, its person's as $2 and the current time as $3:
 * neither ended nor expired, opened with everything that the account requires now, and not of a suspended person.
 */
export const LIVING_SESSION = `session.id = $1 and session.user_id = $2 and session.ended_at is null and session.expires_at > $3
  and (session.factor is not null or not identity.has_factor(session.user_id)) and not identity.is_suspended(session.user_id)`

/** Whether a session is active. */
export const isSessionAlive = async (context: IdentityContext, subject: Subject): Promise<boolean> => {
  const rows = await context.db.query(`select 1 from identity.sessions session where ${LIVING_SESSION}`, [
    subject.sessionId,
    subject.userId,
    new Date(context.clock.now()),
  ])
  return rows.length > 0
}
