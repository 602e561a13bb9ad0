import { assert } from '#domain/kernel/assert.ts'
import type { OrderPrice } from '#domain/billing/order-price.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { noteMailbox } from '../mailboxes/mailbox-store.ts'

/**
 * Reserves the coupon of an order, in the order's transaction and under the lock of `findCoupon`. The table's unique
 * keys back the lock up: one use per order, and one per customer for single-use coupons.
 */
export async function reserveCoupon(
  tx: Sql,
  context: Pick<Context, 'clock'>,
  use: { orderId: string; userId: string; price: OrderPrice; once: boolean },
): Promise<void> {
  const { price, orderId, userId, once } = use
  const part = price.parts.find(({ kind }) => kind === 'coupon')
  if (price.couponId === undefined || part?.kind !== 'coupon') return
  await noteMailbox(tx, context, userId)
  const rows = await tx.query(
    `insert into control.coupon_reservations (coupon_id, order_id, user_id, code, once, amount_ft, created_at)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning coupon_id`,
    [price.couponId, orderId, userId, part.code, once, (-part.amount.minor).toString(), new Date(context.clock.now())],
  )
  assert(rows.length === 1, 'A coupon is counted under its lock before it is reserved.')
}

/** The order was completed or failed: its coupon is consumed, or free again. */
export async function settleCoupon(
  tx: Sql,
  { clock }: Pick<Context, 'clock'>,
  settled: { orderId: string; state: 'used' | 'released' },
): Promise<void> {
  await tx.query(
    `update control.coupon_reservations set state = $2, settled_at = $3 where order_id = $1 and state = 'reserved'`,
    [settled.orderId, settled.state, new Date(clock.now())],
  )
}
