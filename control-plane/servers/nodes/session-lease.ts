import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { SESSION_LEASE_MS } from '#domain/servers/reachability.ts'
import { readServers } from '../store/server-store.ts'
import { announceStatus } from '../provisioning/announce.ts'

/** After a clean disconnect a node may reconnect for this long before it counts as gone. */
const GRACE_MS = 10_000

export type Lease = { readonly nodeId: string; readonly sessionId: string }

/**
 * Takes the node's lease from its previous holder, and records that its backlog is pending (SPEC.md A24). Returns
 * whether readers saw the node as reachable until now.
 */
export async function takeLease(
  tx: Sql,
  lease: Lease & { holder: string; nowMs: number },
): Promise<{ wasReachable: boolean }> {
  const [before] = await tx.query<{ lost_at: Date | null }>(
    'select lost_at from control.agent_sessions where node_id = $1 for update',
    [lease.nodeId],
  )
  await tx.query(
    `insert into control.agent_sessions (node_id, session_id, holder, connected_at, renewed_at, behind_session)
     values ($1, $2, $3, $4, $4, $2)
     on conflict (node_id) do update set session_id = excluded.session_id, holder = excluded.holder,
       connected_at = excluded.connected_at, renewed_at = excluded.renewed_at, lost_at = null,
       behind_session = excluded.behind_session`,
    [lease.nodeId, lease.sessionId, lease.holder, new Date(lease.nowMs)],
  )
  return { wasReachable: before !== undefined && before.lost_at === null }
}

/** Everything pending on the node at the beginning of this session is stored (SPEC.md A24). */
export async function endBacklog(sql: Sql, lease: Lease): Promise<void> {
  await sql.query(
    'update control.agent_sessions set behind_session = null where node_id = $1 and behind_session = $2',
    [lease.nodeId, lease.sessionId],
  )
}

/** Renews leases; returns the sessions that still hold theirs. The others were superseded. */
export async function renewLeases(sql: Sql, leases: readonly Lease[], nowMs: number): Promise<Set<string>> {
  const rows = await sql.query<{ session_id: string }>(
    `update control.agent_sessions a set renewed_at = $2, lost_at = null
     where a.session_id = any ($1) returning a.session_id`,
    [leases.map((lease) => lease.sessionId), new Date(nowMs)],
  )
  return new Set(rows.map((row) => row.session_id))
}

/** The session ended: its lease is shortened to the grace period for the node's return. */
export async function releaseLease(sql: Sql, lease: Lease, nowMs: number): Promise<void> {
  await sql.query(
    'update control.agent_sessions set renewed_at = least(renewed_at, $3) where node_id = $1 and session_id = $2',
    [lease.nodeId, lease.sessionId, new Date(nowMs - SESSION_LEASE_MS + GRACE_MS)],
  )
}

/** Notifies the readers of every server on nodes with an expired lease, once per loss. Returns the number of nodes. */
export async function reportLostNodes(deps: Context): Promise<number> {
  const nowMs = deps.clock.now()
  return deps.db.transaction(async (tx) => {
    const lost = await tx.query<{ node_id: string }>(
      `update control.agent_sessions set lost_at = $1 where lost_at is null and renewed_at <= $2 returning node_id`,
      [new Date(nowMs), new Date(nowMs - SESSION_LEASE_MS)],
    )
    for (const { node_id: nodeId } of lost) {
      deps.log.error({ nodeId }, 'a node is not reachable')
      for (const server of await readServers(tx, 's.node_id = $1 and s.deleted_at is null', [nodeId])) {
        const facts = { state: server.state, suspended: server.suspended }
        const [before, after] = [
          { ...facts, nodeReachable: true },
          { ...facts, nodeReachable: false },
        ]
        await announceStatus(tx, deps, { serverId: server.id, before, after, requestId: '' })
      }
    }
    return lost.length
  })
}
