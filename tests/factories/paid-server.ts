import { placeOrder } from '../../control-plane/money/orders/place-order.ts'
import { settleOrder } from '../../control-plane/money/orders/settle-order.ts'
import { systemIds } from '#platform/ids.ts'
import type { Database } from '#platform/postgres/database.ts'
import type { RenewCommand } from '../../control-plane/money/renewals/renew-server.ts'
import { callerOf, orderContext, type Shop } from './shop.ts'

/** A server that was ordered, paid and installed at `nowMs`. The user has the money for it. */
export async function paidServer(
  db: Database,
  { shop, userId, nowMs, months = 1 }: { shop: Shop; userId: string; nowMs: number; months?: number },
): Promise<{ serverId: string; orderId: string }> {
  const context = orderContext(db, { now: () => nowMs })
  const placed = await placeOrder(context, {
    caller: callerOf(userId),
    requestId: 'order',
    idempotencyKey: systemIds.next(),
    request: { serviceId: shop.serviceId, packageId: shop.packageId, months, name: 'S' },
  })
  if (!placed.ok) throw new Error(placed.code)
  const { serverId, orderId } = placed.answer
  await settleOrder(context, { serverId, outcome: 'installed', reason: '' })
  await db.query(
    `update control.server_state set state = 'running', installed = true, observed_generation = 1 where server_id = $1`,
    [serverId],
  )
  return { serverId, orderId }
}

/** An owner's request to renew. */
export const renewCommand = (
  { userId, serverId }: { userId: string; serverId: string },
  changes: { key?: string; request?: Partial<RenewCommand['request']> } = {},
): RenewCommand => ({
  caller: callerOf(userId),
  serverId,
  request: { months: 1, ...changes.request },
  idempotencyKey: changes.key ?? systemIds.next(),
  requestId: 'renewal-1',
})
