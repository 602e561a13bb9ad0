import { serversOf, SHOWN_SERVERS, shownServer, type ShownServerRow } from '#contracts/control-api/shown-server.ts'
import type { Server } from '#contracts/http/server.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import type { Permission } from '#contracts/panel/permissions.ts'
import { MAX_ITEMS } from '#contracts/primitives.ts'
import type { Context } from '../../platform/context.ts'

/** The caller's own servers and those shared with the caller, newest first. */
export async function listServers(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  request: { caller: Caller; limit?: number | undefined; before?: string | undefined },
): Promise<Server[]> {
  const { caller, limit = MAX_ITEMS, before } = request
  const rows = await db.query<ShownServerRow>(
    `${SHOWN_SERVERS} where ${serversOf('$1')} and ($2::uuid is null or s.id < $2) order by s.id desc limit $3`,
    [caller.userId, before ?? null, limit],
  )
  return rows.map((row) => shownServer(row, { ...caller, nowMs: clock.now() }))
}

/** One server that the caller may see: owned, shared, or any server for administrators; `permissions` in place of the caller's own. */
export async function findServer(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { caller, serverId, permissions }: { caller: Caller; serverId: string; permissions?: readonly Permission[] },
): Promise<Server | undefined> {
  const [row] = await db.query<ShownServerRow>(`${SHOWN_SERVERS} where s.id = $2 and ($3 or ${serversOf('$1')})`, [
    caller.userId,
    serverId,
    caller.isAdmin,
  ])
  return row && shownServer(row, { ...caller, nowMs: clock.now(), ...(permissions && { permissions }) })
}
