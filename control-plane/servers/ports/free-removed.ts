import { isAlive, SERVER_STATES } from '#domain/servers/server-lifecycle.ts'
import type { Sql } from '#platform/postgres/database.ts'

/** In these states no program of the server exists that could still use a port. */
const WITHOUT_PROGRAM = SERVER_STATES.filter((state) => !isAlive(state) && state !== 'unknown' && state !== 'deleting')

/**
 * Frees the removed ports of a server that no program of it can use any more: its node has a specification without them, and either
 * runs nothing or was started with such a one. Call it after each report of the node.
 */
export async function freeRemovedPorts(tx: Sql, serverId: string): Promise<void> {
  await tx.query(
    `update control.allocations a set server_id = null, is_primary = false
     from control.server_state o
     where a.server_id = $1 and o.server_id = $1 and a.removed_in <= o.observed_generation
       and (o.state = any ($2) or a.removed_in <= o.running_generation)`,
    [serverId, WITHOUT_PROGRAM],
  )
}
