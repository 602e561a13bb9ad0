import type { Limits } from '../orders/price-order.ts'
import type { Sql } from '../platform/postgres.ts'
import type { ServerRecord } from '../store/server-store.ts'

type Row = { memory: number; storage: number; used_memory: bigint; used_storage: bigint }

/**
 * Whether the server's node has room for it with other limits. The node stays locked until the transaction ends, so the last room is
 * sold once. What a server gives up always fits.
 */
export async function hasRoomFor(tx: Sql, server: ServerRecord, limits: Limits): Promise<boolean> {
  await tx.query('select 1 from control.nodes where id = $1 for no key update', [server.nodeId])
  const [row] = await tx.query<Row>(
    `select c.available_memory_mib as memory, c.storage_mib as storage,
       (select coalesce(sum(s.memory_mib), 0)::bigint from control.servers s
          where s.node_id = n.id and s.deleted_at is null and s.id <> $2) as used_memory,
       (select coalesce(sum(s.storage_mib), 0)::bigint from control.servers s
          where s.node_id = n.id and s.deleted_at is null and s.id <> $2) as used_storage
     from control.nodes n join cms_api.computers c on c.id = n.computer_id where n.id = $1`,
    [server.nodeId, server.id],
  )
  const fits = (wanted: number, has: number, { total, used }: { total: number; used: bigint }) =>
    wanted <= has || Number(used) + wanted <= total
  if (!row) return limits.memoryMiB <= server.memoryMiB && limits.storageMiB <= server.storageMiB
  return (
    fits(limits.memoryMiB, server.memoryMiB, { total: row.memory, used: row.used_memory }) &&
    fits(limits.storageMiB, server.storageMiB, { total: row.storage, used: row.used_storage })
  )
}
