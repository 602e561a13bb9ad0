import { fitsLarger, type NodeRoom } from '#domain/servers/placement.ts'
import type { Limits } from './limits.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { ServerRecord } from '../store/server-store.ts'

type Row = { memory: number; storage: number; used_memory: bigint; used_storage: bigint }

/** The capacity of the server's node, of which only the other servers count as used; undefined without such a node. */
export async function readRoomOf(sql: Sql, server: ServerRecord): Promise<NodeRoom | undefined> {
  const [row] = await sql.query<Row>(
    `select c.available_memory_mib as memory, c.storage_mib as storage,
       (select coalesce(sum(s.memory_mib), 0)::bigint from control.servers s
          where s.node_id = n.id and s.deleted_at is null and s.id <> $2) as used_memory,
       (select coalesce(sum(s.storage_mib), 0)::bigint from control.servers s
          where s.node_id = n.id and s.deleted_at is null and s.id <> $2) as used_storage
     from control.nodes n join cms_api.computers c on c.id = n.computer_id where n.id = $1`,
    [server.nodeId, server.id],
  )
  return (
    row && {
      memoryMiB: row.memory,
      usedMemoryMiB: Number(row.used_memory),
      diskMiB: row.storage,
      usedDiskMiB: Number(row.used_storage),
    }
  )
}

const sizeOf = ({ memoryMiB, storageMiB }: Limits | ServerRecord) => ({ memoryMiB, diskMiB: storageMiB })

/** Whether the server fits on its node with other limits. Tells a quote; a sale asks `hasRoomFor`. */
export const fitsIn = (room: NodeRoom | undefined, server: ServerRecord, limits: Limits): boolean =>
  fitsLarger(room, sizeOf(server), sizeOf(limits))

/**
 * Whether the server's node has capacity for other limits. The node stays locked until the transaction ends, so that
 * the last capacity is sold once; a reduction fits any node, and locks none.
 */
export async function hasRoomFor(tx: Sql, server: ServerRecord, limits: Limits): Promise<boolean> {
  if (fitsIn(undefined, server, limits)) return true
  await tx.query('select 1 from control.nodes where id = $1 for no key update', [server.nodeId])
  return fitsIn(await readRoomOf(tx, server), server, limits)
}
