import type { Activity } from '#contracts/http/notification.ts'
import { keptSinceMs } from '#domain/users/retention.ts'
import type { IdentityContext } from '../context/context.ts'
import type { Sql } from '../context/database.ts'

const DEFAULT_PAGE = 100

export type ActivityType =
  | 'login'
  | 'login.code'
  | 'logout'
  | 'logout.everywhere'
  | 'session.ended'
  | 'session.copied'
  | 'account.data'
  | 'account.picture'
  | 'account.picture-removed'
  | 'security.email'
  | 'security.email-restored'
  | 'discord.linked'
  | 'discord.unlinked'
  | 'account.exported'
  | 'account.leaving'
  | 'account.stays'
  | `security.${string}`

export type NewActivity = {
  readonly userId: string
  readonly type: ActivityType
  readonly status: 'success' | 'failure'
  /** The origin of the request; empty when no request caused it. */
  readonly address: string
}

type Parts = Pick<IdentityContext, 'ids' | 'clock'>

const valuesOf = ({ ids, clock }: Parts, { userId, type, status, address }: NewActivity) => [
  ids.next(),
  userId,
  type,
  status,
  address.slice(0, 64),
  new Date(clock.now()),
]

/** Writes a line of the security log, in the transaction of the logged change. */
export const recordActivity = async (tx: Sql, parts: Parts, activity: NewActivity): Promise<void> => {
  await tx.query(
    'insert into identity.activities (id, user_id, type, status, address, created_at) values ($1, $2, $3, $4, $5, $6)',
    valuesOf(parts, activity),
  )
}

/** A user id that does not exist: the same statement runs when there is no account. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

/**
 * Logs a refused sign-in. It does not wait for the disk, and for an unknown name the same statement runs and writes
 * nothing: the response time must not reveal which names exist (security case 10).
 */
export const recordRefusal = async (
  sql: Sql,
  parts: Parts,
  refusal: Omit<NewActivity, 'userId' | 'status'> & { readonly userId: string | null },
): Promise<void> => {
  const userId = refusal.userId ?? NOBODY
  await sql.query(
    `with quickly as (select set_config('synchronous_commit', 'off', true))
     insert into identity.activities (id, user_id, type, status, address, created_at)
     select $1, $2, $3, $4, $5, $6 from quickly where $2::uuid <> '${NOBODY}'`,
    valuesOf(parts, { ...refusal, userId, status: 'failure' }),
  )
}

type Row = { id: string; type: string; status: 'success' | 'failure'; address: string; created_at: Date }
export type ActivityPage = {
  readonly userId: string
  readonly limit?: number | undefined
  readonly before?: string | undefined
}

const OF_NO_SERVER = { server: null, way: null, detail: '' } as const

/** The site's part of a person's activity log, newest first. */
export const listActivities = async (
  sql: Sql,
  { userId, limit = DEFAULT_PAGE, before }: ActivityPage,
): Promise<Activity[]> => {
  const rows = await sql.query<Row>(
    `select id, type, status, address, created_at from identity.activities
     where user_id = $1 and ($2::uuid is null or id < $2::uuid) order by id desc limit $3`,
    [userId, before ?? null, limit],
  )
  return rows.map(({ id, type, status, address, created_at: at }) => {
    return { id, ipAddress: address, place: '', type, status, date: at.toISOString(), ...OF_NO_SERVER }
  })
}

/** Merges two parts of one log, each newest first: ids rise with time in both programs. */
export const mergeActivities = (
  parts: readonly (readonly Activity[])[],
  limit: number | undefined = DEFAULT_PAGE,
): Activity[] =>
  parts
    .flat()
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, limit)

/** Deletes lines past their retention period. */
export const sweepActivities = async (sql: Sql, { clock }: Pick<IdentityContext, 'clock'>): Promise<void> => {
  await sql.query('delete from identity.activities where created_at < $1', [
    new Date(keptSinceMs('activities', clock.now())),
  ])
}
