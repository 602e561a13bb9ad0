import { createHash, createHmac } from 'node:crypto'
import type { DiscordResult, DiscordReturn } from '#contracts/http/privacy.ts'
import { DISCORD_SECONDS } from '#contracts/http/auth.ts'
import { violatedUnique } from '#platform/postgres/sql-state.ts'
import { recordActivity } from '../people/activities.ts'
import type { IdentityContext, Origin } from '../context/context.ts'
import type { Sql } from '../context/database.ts'
import { discordAccount, discordPage, DiscordRefused } from './discord-api.ts'
import type { DiscordAccount, DiscordApplication, DiscordParts } from './discord-api.ts'
import type { Subject } from '../keys/access-tokens.ts'
import { secretHash } from '../context/secret-hash.ts'
import { isSessionAlive } from '../sessions/sessions.ts'

const SECRET_BYTES = 32

/** Discord's address, our application, and the redirect address on the site. */
export type DiscordSetting = {
  readonly discord: DiscordParts
  readonly application: DiscordApplication
  readonly redirectUri: string
}

// The PKCE verifier is derived from the state and a secret of the deployment, so that no secret has to be stored.
const verifierOf = ({ sealSecret }: Pick<IdentityContext, 'sealSecret'>, state: string): string =>
  createHmac('sha256', sealSecret).update(`discord verifier ${state}`).digest('base64url')

/**
 * Begins a link: the state travels through Discord, `browser` is stored in a cookie. Both are needed once, within ten
 * minutes.
 */
export const beginDiscordLink = async (
  context: IdentityContext,
  { application, discord, redirectUri }: DiscordSetting,
  { subject, next }: { subject: Subject; next: string },
): Promise<{ readonly url: string; readonly browser: string }> => {
  const draw = () => Buffer.from(context.ids.bytes(SECRET_BYTES)).toString('base64url')
  const [state, browser] = [draw(), draw()]
  await context.db.query(
    `insert into identity.discord_attempts (hash, browser, user_id, session_id, next_path, expires_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      secretHash(state),
      secretHash(browser),
      subject.userId,
      subject.sessionId,
      next,
      new Date(context.clock.now() + DISCORD_SECONDS * 1_000),
    ],
  )
  const codeChallenge = createHash('sha256').update(verifierOf(context, state)).digest('base64url')
  return {
    url: discordPage(discord.baseUrl, { clientId: application.clientId, redirectUri, state, codeChallenge }),
    browser,
  }
}

type Attempt = { readonly user_id: string; readonly session_id: string; readonly next_path: string }

/**
 * Consumes an attempt. Null when this browser began none, when it has expired or was used, or when its session has
 * ended.
 */
const takeAttempt = async (
  context: IdentityContext,
  { state, browser }: { state: string; browser: string | null },
): Promise<Attempt | null> => {
  const now = new Date(context.clock.now())
  const [attempt] = await context.db.query<Attempt>(
    `update identity.discord_attempts set used_at = $3
     where hash = $1 and browser = $2 and used_at is null and expires_at > $3 returning user_id, session_id, next_path`,
    [secretHash(state), secretHash(browser ?? ''), now],
  )
  if (!attempt) return null
  const isAlive = await isSessionAlive(context, { userId: attempt.user_id, sessionId: attempt.session_id })
  return isAlive ? attempt : null
}

/** One Discord account belongs to one person, and a person's newest link replaces older ones. */
const keepLink = async (
  context: IdentityContext,
  { userId, account }: { userId: string; account: DiscordAccount },
  origin: Origin,
): Promise<DiscordResult> => {
  try {
    await context.db.transaction(async (tx) => {
      await tx.query(
        `insert into identity.discord_links (user_id, discord_id, name, linked_at) values ($1, $2, $3, $4)
         on conflict (user_id) do update set discord_id = excluded.discord_id, name = excluded.name,
           linked_at = excluded.linked_at`,
        [userId, account.id, account.name.slice(0, 100), new Date(context.clock.now())],
      )
      await recordActivity(tx, context, { userId, type: 'discord.linked', status: 'success', address: origin.address })
    })
    return 'linked'
  } catch (error) {
    if (violatedUnique(error) === 'discord_links_account') return 'taken'
    throw error
  }
}

export type DiscordEnd = {
  readonly result: DiscordResult
  /** The requested page; null when the returning browser is unknown. */
  readonly next: string | null
  /** The cause of a failure, for the log. */
  readonly reason?: string
}

/**
 * Completes a link when the browser returns. Every invalid state gets the same response and sends no request to
 * Discord: a code issued to somebody else must never be linked here.
 */
export const finishDiscordLink = async (
  context: IdentityContext,
  { setting, back, browser }: { setting: DiscordSetting | null; back: DiscordReturn; browser: string | null },
  origin: Origin,
): Promise<DiscordEnd> => {
  const attempt = await takeAttempt(context, { state: back.state, browser })
  if (!attempt) return { result: 'failed', next: null, reason: 'state' }
  const { user_id: userId, next_path: next } = attempt
  const fail = async (reason: string): Promise<DiscordEnd> => {
    await recordActivity(context.db, context, {
      userId,
      type: 'discord.linked',
      status: 'failure',
      address: origin.address,
    })
    return { result: 'failed', next, reason }
  }
  if (back.code === undefined) return fail('denied')
  if (setting === null) return fail('not configured')
  try {
    const { discord, application, redirectUri } = setting
    const given = { code: back.code, redirectUri, verifier: verifierOf(context, back.state) }
    const account = await discordAccount(discord, application, given)
    // The exchange may have taken seconds: a person who signed out meanwhile links nothing.
    if (!(await isSessionAlive(context, { userId, sessionId: attempt.session_id }))) return fail('session ended')
    return { result: await keepLink(context, { userId, account }, origin), next }
  } catch (error) {
    if (error instanceof DiscordRefused) return fail(`${error.failure}: ${error.message}`)
    throw error
  }
}

export type DiscordLink = { readonly name: string; readonly linkedAt: Date }

/** The linked Discord account, or null. */
export const readDiscordLink = async (sql: Sql, userId: string): Promise<DiscordLink | null> => {
  const [row] = await sql.query<{ name: string; linked_at: Date }>(
    'select name, linked_at from identity.discord_links where user_id = $1',
    [userId],
  )
  return row ? { name: row.name, linkedAt: row.linked_at } : null
}

/** Removes the link. There is no token to revoke: it was revoked when the link was made. */
export const unlinkDiscord = (context: IdentityContext, userId: string, origin: Origin): Promise<void> =>
  context.db.transaction(async (tx) => {
    const gone = await tx.query('delete from identity.discord_links where user_id = $1 returning 1', [userId])
    if (gone.length === 0) return
    await recordActivity(tx, context, { userId, type: 'discord.unlinked', status: 'success', address: origin.address })
  })

/** The configured application, or null while it is incomplete. `open` unseals its secret. */
export const readDiscordApplication = async (
  sql: Sql,
  open: (sealed: string) => string,
): Promise<DiscordApplication | null> => {
  const [row] = await sql.query<{ id: string | null; secret: string | null }>(
    'select discord_client_id as id, discord_client_secret as secret from public.settings order by created_at limit 1',
  )
  if (!row?.id || !row.secret) return null
  return { clientId: row.id.trim(), clientSecret: open(row.secret) }
}

/** Deletes expired attempts. */
export const sweepDiscordAttempts = async (sql: Sql, clock: IdentityContext['clock']): Promise<void> => {
  await sql.query('delete from identity.discord_attempts where expires_at < $1', [new Date(clock.now())])
}
