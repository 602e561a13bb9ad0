import type { PanelVisit, SinceYouLeft } from '#contracts/http/panel/since-you-left.ts'
import type { ActivityPerson } from '#contracts/http/panel/server-activity.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { PERMISSION_OF_CALL, type Permission } from '#contracts/panel/permissions.ts'
import { groupOfActivity, likeActivities } from '#domain/servers/activity-groups.ts'
import { hiddenGroups, missingForDetails, type ActivityReader } from '#domain/servers/activity-reading.ts'
import { newsOf, SEEN_EVERY_MS, wasAway, type Happened, type NewsLine } from '#domain/servers/since-you-left.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { safeDetail } from '../../messages/notices/safe-detail.ts'
import type { Context } from '../../platform/context.ts'
import { accessOf, type ServerAccess } from '../access/server-access.ts'
import { readActors, readerOf } from './list-activities.ts'

/** The most rows that the news of an absence are counted from: the newest ones. */
const VISITED_ROWS = 20_000

export type VisitRefusal = {
  readonly ok: false
  readonly code: 'NOT_FOUND' | 'FORBIDDEN' | 'SERVER_SUSPENDED'
  readonly permission?: Permission
}

type Visit = { readonly userId: string; readonly serverId: string; readonly nowMs: number }

/**
 * Notes that somebody has a panel open, at most once a minute. Returns when they had it open before; null on a first
 * visit and if that is noted already. Only one of two calls at once gets the time.
 */
async function noteVisit(sql: Sql, { userId, serverId, nowMs }: Visit): Promise<number | null> {
  const now = new Date(nowMs)
  const [before] = await sql.query<{ seen_at: Date }>(
    `update control.server_visits v set seen_at = $3
     from (select seen_at from control.server_visits where user_id = $1 and server_id = $2 for update) old
     where v.user_id = $1 and v.server_id = $2 and old.seen_at <= $4 returning old.seen_at`,
    [userId, serverId, now, new Date(nowMs - SEEN_EVERY_MS)],
  )
  if (before !== undefined) return before.seen_at.getTime()
  await sql.query(
    'insert into control.server_visits (user_id, server_id, seen_at) values ($1, $2, $3) on conflict do nothing',
    [userId, serverId, now],
  )
  return null
}

type CountedRow = {
  readonly type: string
  readonly done_by: 'user' | 'server' | 'system'
  readonly user_id: string
  readonly status: 'success' | 'failure'
  readonly count: number
  readonly last_at: Date
  readonly detail: Readonly<Record<string, unknown>>
}

/** The activities of a server after a moment, counted by type and actor, as far as the reader may see them. */
async function countActivities(
  sql: Sql,
  { serverId, since, reader }: { serverId: string; since: Date; reader: ActivityReader },
): Promise<Happened[]> {
  const rows = await sql.query<CountedRow>(
    `with walked as materialized (
       select a.id, a.user_id, a.done_by, a.type, a.status, a.created_at from control.activities a
       where a.server_id = $1 and a.done_by <> 'staff' and a.created_at > $2 and a.type not like all ($3::text[])
       order by a.created_at desc, a.id desc limit $4),
     counted as (
       select w.type, w.done_by, w.user_id, w.status, count(*)::int as count, max(w.created_at) as last_at,
         (array_agg(w.id order by w.created_at desc, w.id desc))[1] as last_id
       from walked w group by w.type, w.done_by, w.user_id, w.status)
     select c.type, c.done_by, c.user_id, c.status, c.count, c.last_at, a.detail
     from counted c join control.activities a on a.id = c.last_id`,
    [serverId, since, likeActivities(hiddenGroups(reader)), VISITED_ROWS],
  )
  return rows.map(({ type, done_by: by, user_id: userId, status, count, last_at: last, detail: { text } }) => {
    const isShown = missingForDetails(groupOfActivity(type), reader) === null && typeof text === 'string'
    const detail = isShown ? safeDetail(type, text) : ''
    const actor = by === 'user' ? userId : by
    return { type, actor, isFailure: status === 'failure', count, lastMs: last.getTime(), detail }
  })
}

const shownActor = (actor: string | null, people: readonly ActivityPerson[]): SinceYouLeft['lines'][number]['actor'] =>
  actor === null || actor === 'server' || actor === 'system'
    ? actor
    : (people.find(({ id }) => id === actor) ?? { id: actor, name: null, role: 'deleted', pictureId: null })

const shownLine = (
  { kind, type, actor, count, lastMs, detail }: NewsLine,
  people: readonly ActivityPerson[],
): SinceYouLeft['lines'][number] => ({
  kind,
  type,
  group: groupOfActivity(type),
  actor: shownActor(actor, people),
  count,
  last: new Date(lastMs).toISOString(),
  detail,
})

async function readNews(
  sql: Sql,
  { caller, access, sinceMs }: { caller: Caller; access: ServerAccess; sinceMs: number },
): Promise<SinceYouLeft | null> {
  const since = new Date(sinceMs)
  const reader = readerOf(caller, access)
  const happened = await countActivities(sql, { serverId: access.server.id, since, reader })
  const { lines, more } = newsOf(happened, reader)
  if (lines.length === 0) return null
  const ids = lines.flatMap(({ actor }) => (actor === null || actor === 'server' || actor === 'system' ? [] : [actor]))
  const people = ids.length === 0 ? [] : await readActors(sql, access.server, ids)
  return { since: since.toISOString(), lines: lines.map((line) => shownLine(line, people)), more }
}

/** Notes that the caller has the panel of a server open, and returns what happened while they were away. */
export async function visitPanel(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { caller, serverId }: { caller: Caller; serverId: string },
): Promise<{ readonly ok: true; readonly visit: PanelVisit } | VisitRefusal> {
  const access = await accessOf(db, caller, serverId)
  if (!access) return { ok: false, code: 'NOT_FOUND' }
  if (access.server.suspended && !access.isStaff) return { ok: false, code: 'SERVER_SUSPENDED' }
  const permission = PERMISSION_OF_CALL['POST /api/server/{id}/visit']
  if (!access.permissions.includes(permission)) return { ok: false, code: 'FORBIDDEN', permission }
  const nowMs = clock.now()
  const sinceMs = await noteVisit(db, { userId: caller.userId, serverId, nowMs })
  const isBack = sinceMs !== null && wasAway(sinceMs, nowMs)
  return { ok: true, visit: { news: isBack ? await readNews(db, { caller, access, sinceMs }) : null } }
}
