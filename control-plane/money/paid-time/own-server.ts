import type { Caller } from '#contracts/internal-api/calls.ts'
import { accessOf } from '../../servers/access/server-access.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { ServerRecord } from '../../servers/store/server-store.ts'
import { readRenewable, type RenewableRow } from './lock-renewable.ts'

export type OwnServer =
  | { readonly ok: true; readonly server: RenewableRow; readonly record: ServerRecord }
  | { readonly ok: false; readonly code: 'NOT_FOUND' | 'FORBIDDEN' }

/** A server that the caller pays for; FORBIDDEN for a sub-user of it, NOT_FOUND for everybody else. */
export async function ownServer(sql: Sql, caller: Caller, serverId: string): Promise<OwnServer> {
  const access = await accessOf(sql, caller, serverId)
  const server = access && (await readRenewable(sql, serverId))
  if (!server) return { ok: false, code: 'NOT_FOUND' }
  if (server.ownerId !== caller.userId) return { ok: false, code: 'FORBIDDEN' }
  return { ok: true, server, record: access.server }
}
