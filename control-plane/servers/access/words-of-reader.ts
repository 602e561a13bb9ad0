import * as z from 'zod'
import { serversOf } from '#contracts/control-api/shown-server.ts'
import { MAX_ITEMS } from '#contracts/primitives.ts'
import { isReachableAt } from '#domain/servers/reachability.ts'
import { SERVER_STATES } from '#domain/servers/server-lifecycle.ts'
import { statusOf, type ServerWord } from '#domain/servers/status.ts'
import type { Sql } from '#platform/postgres/database.ts'

const Row = z.object({
  id: z.string(),
  state: z.enum(SERVER_STATES),
  suspended: z.boolean(),
  node_renewed_at: z.date().nullable(),
})

/** The state of each server that a person sees, of as many as a list shows. */
export async function wordsOfReader(
  sql: Sql,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<readonly { readonly sid: string; readonly state: ServerWord }[]> {
  const rows = await sql.query(
    `select s.id, s.state, s.suspended, s.node_renewed_at from control_api.servers s where ${serversOf('$1')}
     order by s.id desc limit $2`,
    [userId, MAX_ITEMS],
  )
  return z
    .array(Row)
    .parse(rows)
    .map(({ id, state, suspended, node_renewed_at: renewedAt }) => {
      const nodeReachable = isReachableAt(renewedAt?.getTime(), nowMs)
      return { sid: id, state: statusOf({ state, suspended, nodeReachable }).word }
    })
}
