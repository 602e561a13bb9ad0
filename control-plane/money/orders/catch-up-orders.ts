import { issueInvoice } from '../invoices/issue-invoice.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { writePaidSpans } from '../paid-time/paid-spans.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import { invoiceOf } from '../sale/till.ts'
import { ORDER_COLUMNS, saleOf, spansOf, type OrderRow } from './settle-order.ts'
import { settleCoupon } from './use-coupon.ts'

const BATCH = 100

type SettledRow = OrderRow & { readonly settled_at: Date }

/**
 * Completes orders that a program of the previous release settled during the rollout: it knew no paid spans, invoices
 * or coupons. Such orders have no spans; each is completed in one transaction, so a repetition finds nothing. A failed
 * one is logged and does not stop the others. Returns their number.
 */
export async function catchUpOrders(context: MoneyContext): Promise<number> {
  await settleLeftCoupons(context)
  const left = await context.db.query<{ id: string }>(
    `select o.id from control.orders o where o.state = 'completed'
       and not exists (select from control.paid_spans p where p.order_id = o.id) order by o.settled_at limit ${BATCH}`,
  )
  let done = 0
  for (const { id } of left) {
    try {
      done += await context.db.transaction((tx) => catchUp(tx, context, id))
    } catch (error) {
      context.log.error({ orderId: id, reason: String(error) }, 'an order could not be made whole')
    }
  }
  return done
}

async function catchUp(tx: Sql, context: MoneyContext, id: string): Promise<number> {
  const [order] = await tx.query<SettledRow>(
    `${ORDER_COLUMNS}, settled_at from control.orders where id = $1 for update`,
    [id],
  )
  const spans = await tx.query('select 1 from control.paid_spans where order_id = $1 limit 1', [id])
  if (!order || order.state !== 'completed' || spans.length > 0) return 0
  const settledMs = order.settled_at.getTime()
  const { server_id: serverId, request_id: requestId } = order
  await writePaidSpans(tx, context, { serverId, source: { orderId: id }, spans: spansOf(order, settledMs) })
  await settleCoupon(tx, context, { orderId: id, state: 'used' })
  if (order.hold_id !== null) await issueInvoice(tx, context, invoiceOf(saleOf(order), settledMs))
  context.log.info({ requestId, orderId: id, serverId }, 'order of the release before made whole')
  return 1
}

/** A coupon whose order has ended is consumed or free again. */
const settleLeftCoupons = ({ db, clock }: MoneyContext) =>
  db.query(
    `update control.coupon_reservations r set state = case o.state when 'completed' then 'used' else 'released' end, settled_at = $1
     from control.orders o where o.id = r.order_id and r.state = 'reserved' and o.state <> 'provisioning'`,
    [new Date(clock.now())],
  )
