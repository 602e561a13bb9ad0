import type * as z from 'zod'
import {
  ActivityFacts,
  type ActivityPerson,
  type FoundActivities,
  type FoundActivity,
  type ServerActivityFilter,
} from '#contracts/http/panel/server-activity.ts'
import { PERMISSION_OF_CALL, type Permission } from '#contracts/panel/permissions.ts'
import { groupOfActivity } from '#domain/servers/activity-groups.ts'
import { missingForDetails, originSeen, type ActivityReader } from '#domain/servers/activity-reading.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readErased, readPeople } from '../../cms/cms-reader.ts'
import { safeDetail } from '../../messages/notices/safe-detail.ts'
import { accessOf, type ServerAccess, type Visiting } from '../access/server-access.ts'
import { findActivities, findPeople, type ActivityRow } from './find-activities.ts'

const DEFAULT_PAGE = 50

export type ActivitiesRequest = ServerActivityFilter & {
  readonly caller: Visiting
  readonly serverId: string
  readonly limit?: number | undefined
  readonly before?: string | undefined
}
export type ActivitiesRefusal =
  | { readonly ok: false; readonly code: 'NOT_FOUND' }
  | { readonly ok: false; readonly code: 'FORBIDDEN'; readonly permission: Permission }

/**
 * The activities of a server, newest first, to whoever may view them: each entry without what its reader may not see, and
 * everybody by their own name.
 */
export async function listServerActivities(
  sql: Sql,
  request: ActivitiesRequest,
): Promise<{ ok: true; page: z.infer<typeof FoundActivities> } | ActivitiesRefusal> {
  const { caller, serverId, limit = DEFAULT_PAGE, before, ...filter } = request
  const access = await accessOf(sql, caller, serverId)
  if (!access) return { ok: false, code: 'NOT_FOUND' }
  const permission = PERMISSION_OF_CALL['GET /api/server/{id}/activities']
  if (!access.permissions.includes(permission)) return { ok: false, code: 'FORBIDDEN', permission }
  const reader = readerOf(caller, access)
  const people = await readActors(sql, access.server, await findPeople(sql, serverId))
  const text = filter.text?.toLowerCase()
  const named = text === undefined ? [] : people.filter(({ name }) => name?.toLowerCase().includes(text))
  const ids = named.map(({ id }) => id)
  const { rows, next } = await findActivities(sql, { serverId, reader, filter, named: ids, before, limit })
  const matches = (entry: FoundActivity): boolean =>
    text === undefined ||
    entry.detail.toLowerCase().includes(text) ||
    (typeof entry.actor !== 'string' && ids.includes(entry.actor.id)) ||
    (filter.types?.split(',').includes(entry.type) ?? false)
  // A row that was stored before secrets were hidden could match by its secret, and a search would find it out.
  const items = rows.map((row) => entryOf(row, reader, people)).filter(matches)
  return { ok: true, page: { items, people: before === undefined ? people : [], next } }
}

export const readerOf = ({ userId, seesAs }: ActivitiesRequest['caller'], access: ServerAccess): ActivityReader => ({
  userId,
  isAdmin: access.isStaff,
  owns: access.server.ownerId === userId && seesAs === undefined,
  permissions: access.permissions,
})

/** People of a server's activities, by the name that everybody sees. */
export async function readActors(
  sql: Sql,
  server: Pick<ServerAccess['server'], 'id' | 'ownerId'>,
  ids: readonly string[],
): Promise<ActivityPerson[]> {
  const [people, erased, members] = await Promise.all([
    readPeople(sql, ids),
    readErased(sql, ids),
    sql.query<{ user_id: string }>('select user_id from control.server_users where server_id = $1', [server.id]),
  ])
  return ids.map((id): ActivityPerson => {
    const person = people.find((each) => each.id === id)
    if (person === undefined || erased.includes(id)) return { id, name: null, role: 'deleted', pictureId: null }
    const { username: name } = person
    if (id === server.ownerId) return { id, name, role: 'owner', pictureId: null }
    if (person.is_admin || person.is_support) return { id, name, role: 'staff', pictureId: null }
    return { id, name, role: members.some((each) => each.user_id === id) ? 'member' : 'former', pictureId: null }
  })
}

const entryOf = (row: ActivityRow, reader: ActivityReader, people: readonly ActivityPerson[]): FoundActivity => {
  const person = people.find(({ id }) => id === row.user_id)
  const isPerson = row.done_by === 'user'
  const group = groupOfActivity(row.type)
  const missing = missingForDetails(group, reader)
  const origin = { userId: row.user_id, isStaff: person?.role === 'staff' }
  const sees = isPerson ? originSeen(reader, origin) : 'nothing'
  const { text } = row.detail
  return {
    id: row.id,
    type: row.type,
    group,
    status: row.status,
    date: row.created_at.toISOString(),
    way: row.way,
    actor: isPerson
      ? (person ?? { id: row.user_id, name: null, role: 'deleted', pictureId: null })
      : row.done_by === 'server'
        ? 'server'
        : 'system',
    detail: missing === null && typeof text === 'string' ? safeDetail(row.type, text) : '',
    facts: missing === null ? factsOf(row) : {},
    missing,
    // The site turns it into a place, and passes on no more than the reader may see.
    ipAddress: sees === 'nothing' ? '' : row.ip_address,
    sees,
  }
}

const safe = (type: string, value: unknown): string | undefined =>
  typeof value === 'string' ? safeDetail(type, value).slice(0, 500) : undefined

const firstOf = (detail: ActivityRow['detail'], names: readonly string[]): unknown =>
  names.map((name) => detail[name]).find((value) => typeof value === 'number' && value > 0)

/** The fields of a row that are shown, by name. The rest of a row is not shown. */
const factsOf = ({ type, detail }: ActivityRow): ActivityFacts => {
  const { before, after, reason, notes, months, monthlyFt, error, staffError } = detail
  const isRefund = type === 'staff.server-refund' || type === 'server.size-refused' || type === 'order.failed'
  const found = {
    before: safe(type, before),
    after: safe(type, after),
    reason: safe(type, reason),
    notes,
    months,
    monthlyFt,
    error,
    staffError,
    chargeFt: isRefund ? undefined : firstOf(detail, ['chargeFt', 'totalFt']),
    backFt: firstOf(detail, isRefund ? ['amountFt', 'totalFt'] : ['backFt']),
  }
  const present = Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
  return ActivityFacts.catch({}).parse(present)
}
