import type { Money } from '#domain/billing/money.ts'
import type { Limits } from './limits.ts'
import type { Context } from '../../platform/context.ts'
import { enqueue } from '../../platform/outbox-writer.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { changeSpec, type ServerRecord } from '../store/server-store.ts'

export type Resize = {
  readonly server: ServerRecord
  readonly limits: Limits
  /** The package that fixes the size, or null. */
  readonly packageId: string | null
  readonly monthly: Money
  readonly requestId: string
}

/** Sets another desired size of a server on its locked row, under a new generation, which it returns. */
export async function resizeServer(
  tx: Sql,
  context: Pick<Context, 'ids' | 'clock'>,
  { server, limits, packageId, monthly, requestId }: Resize,
): Promise<number> {
  const { id: serverId, spec } = server
  await tx.query(
    `update control.servers set monthly_price_ft = $2, cpu_percent = $3, memory_mib = $4, storage_mib = $5, package_id = $6
     where id = $1`,
    [serverId, monthly.minor.toString(), limits.cpuPercent, limits.memoryMiB, limits.storageMiB, packageId],
  )
  const generation = await changeSpec(tx, serverId, { limits: { ...spec.limits, ...limits } })
  await enqueue(tx, context, { topic: 'provision-server', payload: { serverId }, requestId })
  return generation
}
