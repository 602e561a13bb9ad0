import type { OutboxPayload } from '../../platform/outbox-topics.ts'
import type { LocalizedText } from '#contracts/locale.ts'
import { allocate, forints } from '#domain/billing/money.ts'
import { spansOfMonths, type PaidSpan } from '#domain/billing/paid-time.ts'
import { firstPeriod } from '#domain/billing/period.ts'
import { enqueue } from '../../platform/outbox-writer.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { requestDeletion } from '../../servers/store/server-store.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import { writePaidSpans } from '../paid-time/paid-spans.ts'
import { completeSale, giveUpSale, type Sale } from '../sale/till.ts'
import { taxOfRow } from '../tax/tax-of-sale.ts'
import { ORDER } from '../things/order.ts'
import { HOLD_MS } from './order-context.ts'
import { findUnsettledTests, settleTestServer } from './settle-test-server.ts'
import { settleCoupon } from './use-coupon.ts'

export type OrderRow = {
  id: string
  user_id: string
  server_id: string
  /** Null if a coupon paid the whole order. */
  hold_id: string | null
  state: 'provisioning' | 'completed' | 'failed'
  months: number
  monthly_ft: bigint
  total_ft: bigint
  /** Empty in rows of the previous release: all months cost the same. */
  paid_by_month: readonly number[] | null
  /** The tax decided when the order was placed. */
  tax: unknown
  product: LocalizedText
  locale: keyof LocalizedText
  request_id: string
}

/**
 * Ends an order after its installation: captures the held price and announces the server, or releases all of it and
 * says so. Repetitions in any order change nothing: the first outcome is final.
 */
export async function settleOrder(context: MoneyContext, outcome: OutboxPayload<'order-settle'>): Promise<void> {
  await context.faults('order-settle.begin')
  await context.db.transaction(async (tx) => {
    const [order] = await tx.query<OrderRow>(`${ORDER_COLUMNS} from control.orders where server_id = $1 for update`, [
      outcome.serverId,
    ])
    await context.faults('order-settle.locked')
    if (!order) return settleTestServer(tx, context, outcome)
    if (order.state !== 'provisioning') return
    await (outcome.outcome === 'installed'
      ? completeOrder(tx, context, order)
      : failOrder(tx, context, { order, reason: outcome.reason, holdState: 'released' }))
  })
  await context.faults('order-settle.committed')
}

export const ORDER_COLUMNS = `select id, user_id, server_id, hold_id, state, months, monthly_ft, total_ft, paid_by_month, tax, product,
  locale, request_id`

/** The order as a sale of the till. */
export function saleOf(order: OrderRow): Sale<{ readonly product: LocalizedText; readonly months: number }> {
  const { id, user_id: userId, server_id: serverId, request_id: requestId, product, months, locale } = order
  const total = forints(order.total_ft)
  const buyer = { userId, locale }
  return { thing: ORDER, id, facts: { product, months }, total, tax: taxOfRow(order.tax), buyer, serverId, requestId }
}

async function completeOrder(tx: Sql, context: MoneyContext, order: OrderRow): Promise<void> {
  const { id: orderId, server_id: serverId, request_id: requestId, hold_id: holdId } = order
  const now = context.clock.now()
  const deliver = async () => {
    await settleCoupon(tx, context, { orderId, state: 'used' })
    await tx.query(`update control.orders set state = 'completed', settled_at = $2 where id = $1`, [
      orderId,
      new Date(now),
    ])
    // The paid time starts when the server is ready, not when it was ordered.
    await tx.query('update control.servers set expires_at = $2 where id = $1', [
      serverId,
      new Date(firstPeriod(now, order.months).endMs),
    ])
    await writePaidSpans(tx, context, { serverId, source: { orderId }, spans: spansOf(order, now) })
    await context.faults('order-settle.order-written')
  }
  await completeSale(tx, context, { sale: saleOf(order), holdId, deliver })
  context.log.info({ requestId, orderId, serverId }, 'order completed')
}

/** The payment of each month: a coupon may have reduced only the first one. */
export function spansOf(order: OrderRow, startMs: number): PaidSpan[] {
  const { months, monthly_ft: monthlyFt, total_ft: totalFt, paid_by_month: stored } = order
  const shares = Array.from({ length: months }, () => 1n)
  const paidByMonth =
    stored?.length === months ? stored.map((amountFt) => forints(BigInt(amountFt))) : allocate(forints(totalFt), shares)
  return spansOfMonths({ startMs, monthly: forints(monthlyFt), paidByMonth })
}

type Failure = { order: OrderRow; reason: string; holdState: 'released' | 'expired' }

async function failOrder(tx: Sql, context: MoneyContext, { order, reason, holdState }: Failure): Promise<void> {
  const { id: orderId, server_id: serverId, request_id: requestId, hold_id: holdId } = order
  const undo = async () => {
    await settleCoupon(tx, context, { orderId, state: 'released' })
    await tx.query(`update control.orders set state = 'failed', failure_reason = $2, settled_at = $3 where id = $1`, [
      orderId,
      reason || 'unknown',
      new Date(context.clock.now()),
    ])
    // The reconcile loop removes any remains on the node under a higher generation.
    await requestDeletion(tx, serverId)
    await enqueue(tx, context, { topic: 'provision-server', payload: { serverId, orderId }, requestId })
    await context.faults('order-settle.order-written')
  }
  await giveUpSale(tx, context, { sale: saleOf(order), holdId, state: holdState, undo })
  context.log.warn({ requestId, orderId, serverId, reason }, 'order failed, balance restored')
}

const EXPIRY_BATCH = 100

/** Fails every order whose hold has expired. A failed attempt is logged and does not stop the others. */
export async function expireHolds(context: MoneyContext): Promise<number> {
  const due = await context.ledgerOn(context.db).dueHolds(context.clock.now(), EXPIRY_BATCH)
  let expired = 0
  for (const holdId of due) {
    try {
      expired += await expireHold(context, holdId)
    } catch (error) {
      context.log.error({ holdId, reason: String(error) }, 'a hold could not be expired')
    }
  }
  return expired + (await expireUnheld(context))
}

/** Orders fully paid by a coupon and test servers have no hold that could expire: they fail after the same time. */
async function expireUnheld(context: MoneyContext): Promise<number> {
  return (await expireCouponOrders(context)) + (await expireTests(context))
}

async function expireTests(context: MoneyContext): Promise<number> {
  const due = await findUnsettledTests(context.db, context.clock.now(), EXPIRY_BATCH)
  let expired = 0
  for (const serverId of due) {
    try {
      await settleOrder(context, { serverId, outcome: 'failed', reason: 'timeout' })
      expired += 1
    } catch (error) {
      context.log.error({ serverId, reason: String(error) }, 'a test server could not be given up')
    }
  }
  return expired
}

async function expireCouponOrders(context: MoneyContext): Promise<number> {
  const due = await context.db.query<{ id: string }>(
    `select id from control.orders where state = 'provisioning' and hold_id is null and created_at <= $1
     order by created_at limit $2`,
    [new Date(context.clock.now() - HOLD_MS), EXPIRY_BATCH],
  )
  let expired = 0
  for (const { id } of due) {
    try {
      expired += await expireOrder(context, id)
    } catch (error) {
      context.log.error({ orderId: id, reason: String(error) }, 'an order could not be given up')
    }
  }
  return expired
}

const expireOrder = (context: MoneyContext, id: string): Promise<number> =>
  context.db.transaction(async (tx) => {
    const [order] = await tx.query<OrderRow>(`${ORDER_COLUMNS} from control.orders where id = $1 for update`, [id])
    if (order?.state !== 'provisioning') return 0
    await failOrder(tx, context, { order, reason: 'timeout', holdState: 'expired' })
    return 1
  })

function expireHold(context: MoneyContext, holdId: string): Promise<number> {
  return context.db.transaction(async (tx) => {
    const [order] = await tx.query<OrderRow>(`${ORDER_COLUMNS} from control.orders where hold_id = $1 for update`, [
      holdId,
    ])
    if (order?.state === 'provisioning') {
      await failOrder(tx, context, { order, reason: 'timeout', holdState: 'expired' })
      return 1
    }
    const freed = await context.ledgerOn(tx).release({ holdId, state: 'expired', atMs: context.clock.now() })
    return freed.ok ? 1 : 0
  })
}
