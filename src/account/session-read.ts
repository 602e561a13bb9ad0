import { freshnessOf } from '#contracts/control-api/freshness.ts'
import type { Beat, Freshness } from '#contracts/control-api/freshness.ts'
import type { PreparedStatement } from '#platform/postgres/database.ts'
import type { Subject } from '../identity/keys/access-tokens.ts'
import type { IdentityContext } from '../identity/context/context.ts'
import { LIVING_SESSION } from '../identity/sessions/sessions.ts'

/** What a read is given. The subject is the token's: whether its session lives is decided by the read itself. */
export type SessionReader = {
  readonly context: Pick<IdentityContext, 'db' | 'clock'>
  readonly subject: Subject
}

/** A part of a list: at most `limit` rows that are older than `before`. */
export type Page = { readonly limit?: number | undefined; readonly before?: string | undefined }

/** An answer with the moment that it is of, or null when the session does not live. */
export type SessionAnswer<Body> = { readonly body: Body; readonly freshness: Freshness } | null

/** Rows are JSON: PostgreSQL writes a row of many columns as one text in less time than the driver needs to take it apart. */
type AsJson = { readonly answer: unknown }

/**
 * Makes a statement that answers only to a living session, with the control plane's last beat in each row. $1 to $3 are the session, its
 * person and the present; `joins` may hang on `session`, and its own placeholders begin with $4. A living session always has a row.
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

/** Runs such a statement in one round trip; moments are texts in its rows. Answers null for a session that does not live. */
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
