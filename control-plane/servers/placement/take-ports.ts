import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'

export type TakenPort = { readonly ip: string; readonly port: number; readonly primary: boolean }

/** A node with its address, and the range of ports that its servers get. */
type PortNode = {
  readonly nodeId: string
  readonly ip: string
  readonly startPort: number
  readonly portCount: number
}

/** The port at which the agent of a computer `c` listens: it may lie in the range, and no server gets it. Null without one. */
export const AGENT_PORT = String.raw`substring(c.url from '^[a-z]+://[^/]*:(\d{1,5})(?:/|$)')::int`

/** The lowest free ports of a locked node: those that no server has or leaves, and that are reserved for none. */
async function findFree(tx: Sql, node: PortNode, count: number): Promise<number[]> {
  const free = await tx.query<{ port: number }>(
    `select p.port from generate_series($2::int, $3::int) as p (port)
     where not exists (select from control.allocations a
         where a.node_id = $1 and a.port = p.port and (a.server_id is not null or a.reserved))
       and not exists (select from control.nodes n join cms_api.computers c on c.id = n.computer_id
         where n.id = $1 and ${AGENT_PORT} = p.port)
     order by p.port limit $4`,
    [node.nodeId, node.startPort, node.startPort + node.portCount - 1, count],
  )
  return free.map(({ port }) => port)
}

type Taking = { readonly node: PortNode; readonly serverId: string }

async function takePort(
  tx: Sql,
  ids: Context['ids'],
  { node, serverId, port }: Taking & { port: TakenPort },
): Promise<void> {
  const rows = await tx.query(
    `insert into control.allocations (id, node_id, server_id, ip, port, is_primary) values ($1, $2, $3, $4, $5, $6)
     on conflict (node_id, ip, port) do update set server_id = excluded.server_id, is_primary = excluded.is_primary
       where control.allocations.server_id is null and not control.allocations.reserved
     returning id`,
    [ids.next(), node.nodeId, serverId, port.ip, port.port, port.primary],
  )
  if (rows.length !== 1) throw new Error(`port ${port.port} of node ${node.nodeId} is taken`)
}

/**
 * Takes the lowest free ports of a node locked by `placeOnNode`, each for tcp and udp. The first is the primary. Throws
 * if there are fewer than `count`, because placement has just counted them.
 */
export async function takePorts(
  tx: Sql,
  ids: Context['ids'],
  { node, serverId, count }: Taking & { count: number },
): Promise<TakenPort[]> {
  const free = await findFree(tx, node, count)
  if (free.length < count) throw new Error(`node ${node.nodeId} has ${free.length} of ${count} free ports`)
  const taken = free.map((port, index) => ({ ip: node.ip, port, primary: index === 0 }))
  for (const port of taken) await takePort(tx, ids, { node, serverId, port })
  return taken
}

type NodeRow = { ip: string; start_port: number; port_count: number }

/**
 * Takes one more free port for a server on its node, which stays locked until the transaction ends, so that the last port is
 * given once. Undefined if none is free.
 */
export async function takeFurtherPort(
  tx: Sql,
  ids: Context['ids'],
  { nodeId, serverId }: { nodeId: string; serverId: string },
): Promise<TakenPort | undefined> {
  await tx.query('select 1 from control.nodes where id = $1 for no key update', [nodeId])
  const [row] = await tx.query<NodeRow>(
    `select c.ip, c.start_port, c.port_count from control.nodes n join cms_api.computers c on c.id = n.computer_id where n.id = $1`,
    [nodeId],
  )
  if (!row) return undefined
  const node = { nodeId, ip: row.ip, startPort: row.start_port, portCount: row.port_count }
  const [free] = await findFree(tx, node, 1)
  if (free === undefined) return undefined
  const port = { ip: node.ip, port: free, primary: false }
  await takePort(tx, ids, { node, serverId, port })
  return port
}
