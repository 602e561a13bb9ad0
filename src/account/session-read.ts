import { freshnessOf } from '#contracts/control-api/freshness.ts'
import type { Beat, Freshness } from '#contracts/control-api/freshness.ts'
import type { PreparedStatement } from '#platform/postgres/database.ts'
import type { Subject } from '../identity/keys/access-tokens.ts'
import type { IdentityContext } from '../identity/context/context.ts'
import { LIVING_SESSION } from '../identity/sessions/sessions.ts'

/** The arguments of every read. The subject is the token's claim: the read itself checks that its session is active. */
export type SessionReader = {
  readonly context: Pick<IdentityContext, 'db' | 'clock'>
  readonly subject: Subject
}

/** One page of a list: at most `limit` rows older than `before`. */
export type Page = { readonly limit?: number | undefined; readonly before?: string | undefined }

/** A response body with the time of its data, or null when the session is not active. */
export type SessionAnswer<Body> = { readonly body: Body; readonly freshness: Freshness } | null

/** Rows are JSON: PostgreSQL serializes a row of many columns faster than the driver parses them one by one. */
type AsJson = { readonly answer: unknown }

/**
 * Builds a statement that returns a row only for an active session, with the control plane's last heartbeat in each
 * row. $1 to $3 are the session, its person and the current time; `joins` may refer to `session`, and its own
 * placeholders begin with $4. An active session always has a row.
 */
export const ofLivingSession = (
  name: string,
  { columns, joins, order = '' }: { columns: string; joins: string; order?: string },
): PreparedStatement => ({
  name,
  text: `select row_to_json(answer) as answer from (
    select beat.beaten_at, beat.age_ms, ${columns}
    from identity.sessions session left join control_api.heartbeat beat on true ${joins}
    where ${LIVING_SESSION} ${order}) answer`,
})

/**
 * Runs such a statement in one round trip; its rows hold timestamps as text. Returns null when the session is not
 * active.
 */
export const readOfSession = async <Row extends object>(
  { context, subject }: SessionReader,
  statement: PreparedStatement,
  values: readonly unknown[] = [],
): Promise<{ readonly rows: readonly [Row, ...Row[]]; readonly freshness: Freshness } | null> => {
  const nowMs = context.clock.now()
  const answers = await context.db.prepared<AsJson>(statement, [
    subject.sessionId,
    subject.userId,
    new Date(nowMs),
    ...values,
  ])
  const [first, ...rest] = answers.map(({ answer }) => answer as Row & Beat)
  return first === undefined ? null : { rows: [first, ...rest], freshness: freshnessOf(first, nowMs) }
}
