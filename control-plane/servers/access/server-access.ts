import type { Permission } from '#contracts/panel/permissions.ts'
import { permissionsOf } from '#domain/servers/permissions.ts'
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

/**
 * A caller's rights on a server: all for its owner and administrators, the listed permissions for a sub-user until
 * their share ends. Undefined when the caller may not know that it exists. Support staff without a share see no server.
 */
export async function accessOf(
  sql: Sql,
  caller: Pick<Caller, 'userId' | 'isAdmin'>,
  serverId: string,
): Promise<ServerAccess | undefined> {
  const server = await findServer(sql, serverId)
  if (!server) return undefined
  const owns = server.ownerId === caller.userId
  const share = owns || caller.isAdmin ? null : await readShare(sql, { serverId, userId: caller.userId })
  const permissions = permissionsOf({ owns, isAdmin: caller.isAdmin, shared: share?.permissions ?? null })
  const endsAtMs = share?.ends_at?.getTime() ?? null
  return permissions === null ? undefined : { server, permissions, isStaff: caller.isAdmin, endsAtMs }
}

/**
 * The caller's rights on a server whose row is locked until the transaction ends: nothing about its people and settings
 * changes meanwhile, and the rights are those after every change before.
 */
export async function lockedAccess(
  tx: Sql,
  caller: Pick<Caller, 'userId' | 'isAdmin'>,
  serverId: string,
): Promise<ServerAccess | undefined> {
  // Strangers lock nothing.
  if (!(await accessOf(tx, caller, serverId))) return undefined
  await lockServer(tx, serverId)
  return accessOf(tx, caller, serverId)
}
