import { SESSION_LEASE_MS } from '#domain/servers/reachability.ts'
import type { AgentCapability } from '#contracts/agent/session.ts'
import type { Sql } from '#platform/postgres/database.ts'

export type NodeRecord = {
  readonly id: string
  readonly computerId: string
  /** Raw Ed25519 public key, base64url. */
  readonly publicKey: string
  readonly name: string
  readonly epoch: number
  readonly acknowledgedSeq: number
  readonly runtime: 'docker' | 'process' | 'fake'
}

type NodeRow = {
  id: string
  computer_id: string
  public_key: string
  name: string
  epoch: bigint
  acknowledged_seq: bigint
  runtime: NodeRecord['runtime']
}

const nodeOf = (row: NodeRow): NodeRecord => ({
  id: row.id,
  computerId: row.computer_id,
  publicKey: row.public_key,
  name: row.name,
  epoch: Number(row.epoch),
  acknowledgedSeq: Number(row.acknowledged_seq),
  runtime: row.runtime,
})

const SELECT = 'select id, computer_id, public_key, name, epoch, acknowledged_seq, runtime from control.nodes'

export async function findNode(sql: Sql, id: string): Promise<NodeRecord | undefined> {
  const [row] = await sql.query<NodeRow>(`${SELECT} where id = $1`, [id])
  return row && nodeOf(row)
}

/** The epoch of the control plane: the fence against a restored database (SPEC.md A9). */
export async function readEpoch(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ value: bigint }>('select value from control.epoch')
  return Number(row?.value ?? 1)
}

/** Whether the node's agent has announced that it can do this. */
export async function isCapable(sql: Sql, nodeId: string, capability: AgentCapability): Promise<boolean> {
  const rows = await sql.query('select 1 from control.nodes where id = $1 and $2 = any (capabilities)', [
    nodeId,
    capability,
  ])
  return rows.length > 0
}

export async function isReachable(sql: Sql, nodeId: string, nowMs: number): Promise<boolean> {
  return (await readReach(sql, nodeId, nowMs)).isReachable
}

/** Whether an active session holds the node, and whether that session still owes its backlog (SPEC.md A24). */
export async function readReach(
  sql: Sql,
  nodeId: string,
  nowMs: number,
): Promise<{ isReachable: boolean; isBehind: boolean }> {
  const [row] = await sql.query<{ is_behind: boolean }>(
    `select behind_session is not distinct from session_id as is_behind from control.agent_sessions
     where node_id = $1 and renewed_at > $2`,
    [nodeId, new Date(nowMs - SESSION_LEASE_MS)],
  )
  return { isReachable: row !== undefined, isBehind: row?.is_behind ?? false }
}
