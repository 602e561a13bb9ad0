import { placeOrder } from '../../control-plane/money/orders/place-order.ts'
import { settleOrder } from '../../control-plane/money/orders/settle-order.ts'
import { systemIds } from '#platform/ids.ts'
import type { Database } from '#platform/postgres/database.ts'
import { callerOf, orderContext, userWith, type Shop } from './shop.ts'

/** A customer with a running server of the smallest size for 1500 Ft a month, and another 1500 Ft. */
export async function sizedServer(
  db: Database,
  { shop, nowMs }: { shop: Shop; nowMs: number },
): Promise<{ userId: string; serverId: string }> {
  const context = orderContext(db, { now: () => nowMs })
  const userId = await userWith(db, 3000n)
  const placed = await placeOrder(context, {
    caller: callerOf(userId),
    requestId: 'o',
    idempotencyKey: systemIds.next(),
    request: {
      serviceId: shop.serviceId,
      months: 1,
      name: 'S',
      resources: { cpuPercent: 100, ramMiB: 1024, storageMiB: 1024 },
    },
  })
  if (!placed.ok) throw new Error(placed.code)
  const { serverId } = placed.answer
  await settleOrder(context, { serverId, outcome: 'installed', reason: '' })
  await db.query(
    `update control.server_state set state = 'running', installed = true, observed_generation = 1 where server_id = $1`,
    [serverId],
  )
  return { userId, serverId }
}
