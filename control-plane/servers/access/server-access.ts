import type { Permission } from '#contracts/panel/permissions.ts'
import { permissionsOf } from '#domain/servers/permissions.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { findServer, type ServerRecord } from '../store/server-store.ts'

export type ServerAccess = {
  readonly server: ServerRecord
  readonly permissions: readonly Permission[]
  /** Administrators reach every server; switches for customers do not apply to them. */
  readonly isStaff: boolean
}

const readShare = async (sql: Sql, { serverId, userId }: { serverId: string; userId: string }) => {
  const [row] = await sql.query<{ permissions: string[] }>(
    'select permissions from control.server_users where server_id = $1 and user_id = $2',
    [serverId, userId],
  )
  return row?.permissions ?? null
}

/**
 * A caller's rights on a server: all for its owner and administrators, the listed permissions for a sub-user. Undefined
 * when the caller may not know that it exists. Support staff without a share see no server.
 */
export async function accessOf(
  sql: Sql,
  caller: Pick<Caller, 'userId' | 'isAdmin'>,
  serverId: string,
): Promise<ServerAccess | undefined> {
  const server = await findServer(sql, serverId)
  if (!server) return undefined
  const owns = server.ownerId === caller.userId
  const shared = owns || caller.isAdmin ? null : await readShare(sql, { serverId, userId: caller.userId })
  const permissions = permissionsOf({ owns, isAdmin: caller.isAdmin, shared })
  return permissions === null ? undefined : { server, permissions, isStaff: caller.isAdmin }
}
