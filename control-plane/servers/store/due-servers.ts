import type { DueRun } from '#domain/billing/due-run.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { SESSION_LEASE_MS } from '#domain/servers/reachability.ts'

/**
 * Servers on reachable nodes whose observed state differs from the desired one and which have no open command: a rough
 * preselection for `reconcile`, which decides under the server's lock. $1 is the oldest accepted heartbeat of a node, $2
 * the present.
 */
const PRESELECTED = `from control.servers s
     join control.agent_sessions a on a.node_id = s.node_id and a.renewed_at > $1
     left join control.server_state o on o.server_id = s.id
     where (s.deleted_at is null or coalesce(o.state, '') <> 'deleted')
       and not exists (select 1 from control.commands c where c.server_id = s.id and c.state in ('pending', 'accepted')
         and (s.desired = 'installed' or c.kind = 'delete'))
       and (s.desired = 'deleted'
         or not coalesce(o.installed, false) and coalesce(o.state, 'creating') = 'creating'
         or o.installed and o.observed_generation < s.generation and o.state not in ('unknown', 'deleted', 'deleting')
         or o.state = 'unknown' and o.observed_generation = 0
         or s.suspended and o.state in ('starting', 'running')
         or a.behind_session is distinct from a.session_id and (
           s.desired_power = 'running' and not s.suspended and s.expires_at > $2 and o.state in ('offline', 'healthy')
           or s.desired_power = 'stopped' and o.state in ('starting', 'running')))`

const momentsOf = (nowMs: number): Date[] => [new Date(nowMs - SESSION_LEASE_MS), new Date(nowMs)]

/** One page of a run over the servers that may need a step, ordered by id. `requestId` is that of the last command. */
export async function findDueServers(
  sql: Sql,
  { dueUntilMs: nowMs, afterId, limit }: DueRun,
  nodeId?: string,
): Promise<{ id: string; requestId: string }[]> {
  const rows = await sql.query<{ id: string; request_id: string | null }>(
    `select s.id, (select c.request_id from control.commands c where c.server_id = s.id order by c.created_at desc, c.id desc limit 1)
       as request_id
     ${PRESELECTED} and ($4::uuid is null or s.node_id = $4) and ($5::uuid is null or s.id > $5) order by s.id limit $3`,
    [...momentsOf(nowMs), limit, nodeId ?? null, afterId ?? null],
  )
  return rows.map((row) => ({ id: row.id, requestId: row.request_id ?? '' }))
}

/** The ids among `serverIds` whose servers may need a step now. */
export async function dueAmong(sql: Sql, serverIds: readonly string[], nowMs: number): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ id: string }>(`select s.id ${PRESELECTED} and s.id = any ($3)`, [
    ...momentsOf(nowMs),
    serverIds,
  ])
  return new Set(rows.map(({ id }) => id))
}
