import { systemIds } from '#platform/ids.ts'
import type { Context } from '../../control-plane/platform/context.ts'

/** An update of a server to its current size, which its node refused. */
export const refusedUpdate = (
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { serverId, nodeId }: { serverId: string; nodeId: string },
) =>
  db.query(
    `insert into control.commands (id, node_id, server_id, generation, kind, body, request_id, state, result_code, created_at, finished_at)
     select $1, $2, id, generation, 'update', '{}', 'r', 'failed', 'INTERNAL', $4, $4 from control.servers where id = $3`,
    [systemIds.next(), nodeId, serverId, new Date(clock.now())],
  )
