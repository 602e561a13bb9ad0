import type { Permission } from '#contracts/panel/permissions.ts'
import { permissionsOf, readingOnly, seenTogether } from '#domain/servers/permissions.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { findServer, lockServer, type ServerRecord } from '../store/server-store.ts'

export type ServerAccess = {
  readonly server: ServerRecord
  readonly permissions: readonly Permission[]
  /** Administrators reach every server; switches for customers do not apply to them. */
  readonly isStaff: boolean
  /** When the caller's share ends by itself; null without an end. */
  readonly endsAtMs: number | null
}

const readShare = async (sql: Sql, { serverId, userId }: { serverId: string; userId: string }) => {
  const [row] = await sql.query<{ permissions: string[]; ends_at: Date | null }>(
    `select permissions, ends_at from control.server_users
     where server_id = $1 and user_id = $2 and (ends_at is null or ends_at > clock_timestamp())`,
    [serverId, userId],
  )
  return row ?? null
}

/** The person who asks about a server. With `seesAs` they look at it as that collaborator sees it. */
export type Visiting = Pick<Caller, 'userId' | 'isAdmin'> & Partial<Pick<Caller, 'seesAs'>>

async function ownAccess(sql: Sql, caller: Visiting, serverId: string): Promise<ServerAccess | undefined> {
  const server = await findServer(sql, serverId)
  if (!server) return undefined
  const owns = server.ownerId === caller.userId
  const share = owns || caller.isAdmin ? null : await readShare(sql, { serverId, userId: caller.userId })
  const permissions = permissionsOf({ owns, isAdmin: caller.isAdmin, shared: share?.permissions ?? null })
  const endsAtMs = share?.ends_at?.getTime() ?? null
  return permissions === null ? undefined : { server, permissions, isStaff: caller.isAdmin, endsAtMs }
}

const earliest = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)

/**
 * The rights of somebody who looks as a collaborator: what both have, and no staff's. Undefined without a collaborator
 * of this server, and for those who do not edit its collaborators.
 */
async function seenAccess(
  sql: Sql,
  { server, permissions: own, endsAtMs }: ServerAccess,
  seesAs: string,
): Promise<ServerAccess | undefined> {
  if (!own.includes('user.update') || server.ownerId === seesAs) return undefined
  const share = await readShare(sql, { serverId: server.id, userId: seesAs })
  if (share === null) return undefined
  const permissions = seenTogether(own, share.permissions)
  return { server, permissions, isStaff: false, endsAtMs: earliest(endsAtMs, share.ends_at?.getTime() ?? null) }
}

/** The panel that a caller looks at: their own, or a collaborator's with all of its buttons. Undefined as in `accessOf`. */
export async function shownAccessOf(sql: Sql, caller: Visiting, serverId: string): Promise<ServerAccess | undefined> {
  const own = await ownAccess(sql, caller, serverId)
  return own === undefined || caller.seesAs === undefined ? own : seenAccess(sql, own, caller.seesAs)
}

/**
 * A caller's rights on a server: all for its owner and administrators, the listed permissions for a sub-user until
 * their share ends. Undefined when the caller may not know that it exists. Support staff without a share see no server.
 * A caller who views the server as a collaborator has reading permissions only.
 */
export async function accessOf(sql: Sql, caller: Visiting, serverId: string): Promise<ServerAccess | undefined> {
  const access = await shownAccessOf(sql, caller, serverId)
  if (access === undefined || caller.seesAs === undefined) return access
  return { ...access, permissions: readingOnly(access.permissions) }
}

/**
 * The caller's rights on a server whose row is locked until the transaction ends: nothing about its people and settings
 * changes meanwhile, and the rights are those after every change before. Nobody changes a server while looking at it as somebody else.
 */
export async function lockedAccess(tx: Sql, caller: Visiting, serverId: string): Promise<ServerAccess | undefined> {
  // Strangers lock nothing.
  if (caller.seesAs !== undefined || !(await accessOf(tx, caller, serverId))) return undefined
  await lockServer(tx, serverId)
  return accessOf(tx, caller, serverId)
}
