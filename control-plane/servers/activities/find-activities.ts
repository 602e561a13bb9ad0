import type { ServerActivityFilter } from '#contracts/http/panel/server-activity.ts'
import { likeActivities } from '#domain/servers/activity-groups.ts'
import { hiddenGroups, readableGroups, type ActivityReader } from '#domain/servers/activity-reading.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { DoneBy } from '../../messages/notices/notify-user.ts'

export type ActivityRow = {
  readonly id: string
  readonly user_id: string
  readonly done_by: Exclude<DoneBy, 'staff'>
  readonly ip_address: string
  readonly type: string
  readonly status: 'success' | 'failure'
  readonly created_at: Date
  readonly way: 'panel' | 'sftp' | 'api' | 'timer' | null
  readonly detail: Readonly<Record<string, unknown>>
}

export type WantedActivities = {
  readonly serverId: string
  readonly reader: ActivityReader
  readonly filter: ServerActivityFilter
  /** People whose names contain the text of the filter. */
  readonly named: readonly string[]
  readonly before: string | undefined
  readonly limit: number
}

/** The most rows that one call reads. */
const VISITED_ROWS = 20_000

const isImpersonal = (who: string | undefined): who is 'server' | 'system' => who === 'server' || who === 'system'

const escaped = (text: string): string => text.replaceAll(/[\\_%]/g, String.raw`\$&`)

/** Values of a statement in the order in which it names them. */
class Values {
  readonly list: unknown[] = []

  add(value: unknown): string {
    return `$${this.list.push(value)}`
  }
}

/** Where the walk through the index begins and ends, and whose rows it visits. */
const walkOf = ({ serverId, reader, filter, before }: WantedActivities, values: Values): string[] => {
  const { who, from, until } = filter
  const server = values.add(serverId)
  // Rows of `staff` are the customer's copy of a line that staff have there too.
  const conditions = [`a.server_id = ${server}`, `a.done_by <> 'staff'`]
  // Rows of a contract are few, so leaving them out costs no long walk.
  const hidden = likeActivities(hiddenGroups(reader))
  if (hidden.length > 0) conditions.push(`a.type not like all (${values.add(hidden)}::text[])`)
  if (who !== undefined && !isImpersonal(who)) {
    conditions.push(`a.done_by = 'user'`, `a.user_id = ${values.add(who)}`)
  }
  if (from !== undefined) conditions.push(`a.created_at >= ${values.add(from)}::timestamptz`)
  if (until !== undefined) conditions.push(`a.created_at < ${values.add(until)}::timestamptz`)
  if (before !== undefined) {
    // A cursor that was deleted for its age has nothing behind it.
    const cursor = `select b.created_at, b.id from control.activities b where b.id = ${values.add(before)} and b.server_id = ${server}`
    conditions.push(`(a.created_at, a.id) < (${cursor})`)
  }
  return conditions
}

/** Which of the visited rows are wanted. */
const choiceOf = ({ reader, filter, named }: WantedActivities, values: Values): string[] => {
  const conditions: string[] = []
  const { who, group, way, text, types } = filter
  if (isImpersonal(who)) conditions.push(`w.done_by = ${values.add(who)}`)
  if (group !== undefined) conditions.push(`w.type like any (${values.add(likeActivities([group]))}::text[])`)
  if (way !== undefined) conditions.push(`w.way = ${values.add(way)}`)
  if (text !== undefined) {
    // Only details that the reader sees are searched: a match would tell what stands in the others.
    const seesAll = reader.owns || reader.isAdmin
    const sees = seesAll ? '' : ` and w.type like any (${values.add(likeActivities(readableGroups(reader)))}::text[])`
    const inDetail = `(w.detail ->> 'text' ilike ${values.add(`%${escaped(text)}%`)}${sees})`
    const byPerson = `(w.done_by = 'user' and w.user_id = any (${values.add(named)}::uuid[]))`
    conditions.push(`(${inDetail} or ${byPerson} or w.type = any (${values.add(types?.split(',') ?? [])}::text[]))`)
  }
  return conditions
}

/** Rows in order, and the id behind which a further call continues; null at the end. */
export type FoundRows = { readonly rows: readonly ActivityRow[]; readonly next: string | null }

/**
 * Walks through the activities of a server by its index, newest first. One call visits a bounded number of rows whatever its
 * filter is, so it may return fewer than its limit, or none, and still have a `next`.
 */
export const findActivities = async (sql: Sql, wanted: WantedActivities): Promise<FoundRows> => {
  const { limit } = wanted
  const values = new Values()
  const walk = walkOf(wanted, values)
  const choice = choiceOf(wanted, values)
  const visited = choice.length === 0 ? limit + 1 : Math.max(VISITED_ROWS, limit + 1)
  const found = await sql.query<ActivityRow & { visited: number; last_visited: string | null }>(
    `with walked as materialized (
       select a.id, a.user_id, a.done_by, a.ip_address, a.type, a.status, a.created_at, a.way, a.detail
       from control.activities a where ${walk.join(' and ')}
       order by a.created_at desc, a.id desc limit ${values.add(visited)}),
     chosen as (
       select * from walked w ${choice.length === 0 ? '' : `where ${choice.join(' and ')}`}
       order by w.created_at desc, w.id desc limit ${values.add(limit + 1)})
     select c.*, (select count(*)::int from walked) as visited,
       (select w.id from walked w order by w.created_at, w.id limit 1) as last_visited
     from (select 1) as one left join chosen c on true order by c.created_at desc, c.id desc`,
    values.list,
  )
  const [first] = found
  const rows = found.filter(({ id }) => id !== null)
  const shown = rows.slice(0, limit)
  if (rows.length > limit) return { rows: shown, next: shown.at(-1)?.id ?? null }
  return { rows: shown, next: first?.visited === visited ? first.last_visited : null }
}

/** Everybody who did something on a server. Each is found by one step in the index, however many rows they have. */
export const findPeople = async (sql: Sql, serverId: string): Promise<string[]> => {
  const one = (after: string) =>
    `select a.user_id from control.activities a where a.server_id = $1 and a.done_by = 'user'${after}
     order by a.user_id limit 1`
  const rows = await sql.query<{ user_id: string }>(
    `with recursive people as (
       (${one('')})
       union all
       select (${one(' and a.user_id > p.user_id')}) from people p where p.user_id is not null)
     select user_id from people where user_id is not null`,
    [serverId],
  )
  return rows.map(({ user_id: id }) => id)
}
