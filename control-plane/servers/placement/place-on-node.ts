import type { TemplateRow } from '#contracts/cms-api/rows.ts'
import { refuseOrder, type OrderRefusal } from '#domain/billing/order-refusal.ts'
import { runsOn } from '#domain/servers/availability.ts'
import { placeServer, type PlacementCandidate } from '#domain/servers/placement.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { SESSION_LEASE_MS } from '#domain/servers/reachability.ts'
import { canRunInDocker } from './choose-image.ts'
import type { Limits } from './limits.ts'
import { AGENT_PORT } from './take-ports.ts'

type NodeRow = {
  id: string
  runtime: string
  ip: string
  start_port: number
  port_count: number
  available_memory_mib: number
  storage_mib: number
  used_memory_mib: bigint
  used_storage_mib: bigint
  used_ports: bigint
  reachable: boolean
}

export type ChosenNode = {
  readonly ok: true
  readonly nodeId: string
  readonly runtime: string
  readonly ip: string
  readonly startPort: number
  readonly portCount: number
}

type Demand = {
  /** The eligible computers; empty means all. */
  readonly computerIds: readonly string[]
  readonly ports: number
  readonly limits: Pick<Limits, 'memoryMiB' | 'storageMiB'>
  /** Whether nodes of this runtime can install and run the server. */
  readonly canRunOn: (runtime: string) => boolean
}

/**
 * Chooses the node of a new server and locks every candidate until the transaction ends, so that the last place is sold
 * once. Refuses with NO_CAPACITY, or NO_FREE_PORT when only ports are missing.
 */
export async function placeOnNode(
  tx: Sql,
  clock: Context['clock'],
  demand: Demand,
): Promise<ChosenNode | OrderRefusal> {
  await tx.query(
    `select 1 from control.nodes n where n.computer_id in (select id from cms_api.computers where orderable)
     order by n.id for no key update`,
  )
  const rows = await tx.query<NodeRow>(CANDIDATES, [new Date(clock.now() - SESSION_LEASE_MS), demand.computerIds])
  const { ports, limits } = demand
  const able = rows.filter(({ runtime }) => runtime === 'fake' || demand.canRunOn(runtime))
  const candidates = able.map(candidateOf)
  const needs = { memoryMiB: limits.memoryMiB, diskMiB: limits.storageMiB, ports }
  const placed = placeServer(candidates, needs)
  if (!placed.ok) {
    return refuseOrder(placeServer(candidates, { ...needs, ports: 0 }).ok ? 'NO_FREE_PORT' : 'NO_CAPACITY')
  }
  const node = able.find((row) => row.id === placed.nodeId)
  if (!node) throw new Error(`node ${placed.nodeId} is not among its candidates`)
  return {
    ok: true,
    nodeId: node.id,
    runtime: node.runtime,
    ip: node.ip,
    startPort: node.start_port,
    portCount: node.port_count,
  }
}

/** Whether nodes of this runtime can install and run the template's servers. */
export const canRun = (template: TemplateRow, runtime: string): boolean =>
  runsOn({ runtimes: template.runtimes, hasImages: canRunInDocker(template) }, runtime)

// A separate statement after the lock: it sees the commit of the previous holder.
const CANDIDATES = `
  select n.id, n.runtime, c.ip, c.start_port, c.port_count, c.available_memory_mib, c.storage_mib,
    coalesce(s.memory, 0)::bigint as used_memory_mib, coalesce(s.storage, 0)::bigint as used_storage_mib,
    (select count(*) from control.allocations a where a.node_id = n.id and (a.server_id is not null or a.reserved)
       and a.port between c.start_port and c.start_port + c.port_count - 1 and a.port is distinct from ${AGENT_PORT})
      + coalesce(${AGENT_PORT} between c.start_port and c.start_port + c.port_count - 1, false)::int as used_ports,
    exists (select from control.agent_sessions x where x.node_id = n.id and x.renewed_at > $1) as reachable
  from control.nodes n
  join cms_api.computers c on c.id = n.computer_id and c.orderable
  left join (select node_id, sum(memory_mib) as memory, sum(storage_mib) as storage from control.servers
             where deleted_at is null group by node_id) s on s.node_id = n.id
  where cardinality($2::uuid[]) = 0 or c.id = any ($2::uuid[])`

const candidateOf = (row: NodeRow): PlacementCandidate => ({
  nodeId: row.id,
  memoryMiB: Number(row.available_memory_mib),
  diskMiB: Number(row.storage_mib),
  usedMemoryMiB: Number(row.used_memory_mib),
  usedDiskMiB: Number(row.used_storage_mib),
  freePorts: Number(row.port_count) - Number(row.used_ports),
  reachable: row.reachable,
})
