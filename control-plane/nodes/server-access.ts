import { PERMISSIONS, type Permission } from '#contracts/panel/permissions.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import type { Sql } from '../platform/postgres.ts'
import { findServer, type ServerRecord } from '../store/server-store.ts'

export type ServerAccess = {
  readonly server: ServerRecord
  readonly permissions: readonly Permission[]
  /** Administrators reach every server; switches that are meant for customers do not bind them. */
  readonly isStaff: boolean
}

/**
 * What the caller may do with a server: everything as its owner or an administrator, the listed permissions as a sub-user.
 * Undefined when the caller may not know that it exists. Support staff without a share see no server.
 */
export async function accessOf(
  sql: Sql,
  caller: Pick<Caller, 'userId' | 'isAdmin'>,
  serverId: string,
): Promise<ServerAccess | undefined> {
  const server = await findServer(sql, serverId)
  if (!server) return undefined
  const owns = server.ownerId === caller.userId
  if (owns || caller.isAdmin) return { server, permissions: PERMISSIONS, isStaff: caller.isAdmin }
  const [row] = await sql.query<{ permissions: string[] }>(
    'select permissions from control.server_users where server_id = $1 and user_id = $2',
    [serverId, caller.userId],
  )
  if (!row) return undefined
  const granted = new Set(row.permissions)
  return { server, permissions: PERMISSIONS.filter((permission) => granted.has(permission)), isStaff: false }
}
