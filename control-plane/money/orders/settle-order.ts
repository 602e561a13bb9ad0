import type { OutboxPayload } from '../../platform/outbox-topics.ts'
import type { LocalizedText } from '#contracts/locale.ts'
import { assert } from '#domain/kernel/assert.ts'
import { allocate, forints } from '#domain/billing/money.ts'
import { spansOfMonths, type PaidSpan } from '#domain/billing/paid-time.ts'
import { firstPeriod } from '#domain/billing/period.ts'
import { announceBalance, notifyUser, recordActivity } from '../../messages/notices/notify-user.ts'
import { setStatementStatus } from '../wallet/statement.ts'
import { taxOfRow } from '../tax/tax-of-sale.ts'
import { invoiceOfOrder } from '../invoices/invoice-requests.ts'
import { issueInvoice } from '../invoices/issue-invoice.ts'
import { orderCaptured } from '../ledger/postings.ts'
import { findUnsettledTests, settleTestServer } from './settle-test-server.ts'
import { enqueue } from '../../platform/outbox-writer.ts'
import type { Sql } from '../../platform/postgres.ts'
import { writePaidSpans } from '../paid-time/paid-spans.ts'
import { requestDeletion } from '../../servers/store/server-store.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import { HOLD_MS } from './order-context.ts'
import { settleCoupon } from './use-coupon.ts'

export type OrderRow = {
  id: string
  user_id: string
  server_id: string
  /** Null where a coupon paid the order whole. */
  hold_id: string | null
  state: 'provisioning' | 'completed' | 'failed'
  months: number
  monthly_ft: bigint
  total_ft: bigint
  /** Empty in rows that a program of the release before wrote: the months cost alike. */
  paid_by_month: readonly number[] | null
  /** As it was decided when the order was placed. */
  tax: unknown
  product: LocalizedText
  locale: keyof LocalizedText
  request_id: string
}

/**
 * Ends an order after its installation: takes the held price and says that the server is there, or gives the whole
 * balance back and says so. Repeating it, in any order of outcomes, changes nothing: the first outcome stands.
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

async function completeOrder(tx: Sql, context: MoneyContext, order: OrderRow): Promise<void> {
  const now = context.clock.now()
  const origin = { id: context.ids.next(), atMs: now, actor: 'system', requestId: order.request_id }
  const product = order.product.en
  const tax = taxOfRow(order.tax)
  if (order.hold_id !== null) {
    const captured = await context.ledgerOn(tx).capture(
      orderCaptured(origin, {
        orderId: order.id,
        userId: order.user_id,
        total: forints(order.total_ft),
        product,
        rateBasisPoints: tax.rateBasisPoints,
        holdId: order.hold_id,
      }),
    )
    assert(captured.ok, `The hold of a provisioning order is open: ${captured.ok ? '' : captured.code}`)
  }
  await settleCoupon(tx, context, { orderId: order.id, state: 'used' })
  await context.faults('order-settle.money-moved')
  await tx.query(`update control.orders set state = 'completed', settled_at = $2 where id = $1`, [
    order.id,
    new Date(now),
  ])
  // The paid time starts when the server is there, not when it was ordered.
  await tx.query('update control.servers set expires_at = $2 where id = $1', [
    order.server_id,
    new Date(firstPeriod(now, order.months).endMs),
  ])
  await writePaidSpans(tx, context, {
    serverId: order.server_id,
    source: { orderId: order.id },
    spans: spansOf(order, now),
  })
  await setStatementStatus(tx, context, { document: { kind: 'order', id: order.id }, status: 'finished' })
  await context.faults('order-settle.order-written')
  const data = { sid: order.server_id, product: order.product[order.locale], amount: Number(order.total_ft) }
  const told = { userId: order.user_id, data, requestId: order.request_id }
  await notifyUser(tx, context, { ...told, text: 'purchase.success' })
  await notifyUser(tx, context, { ...told, text: 'server.installed' })
  await logOutcome(tx, context, { order, type: 'order.completed', status: 'success' })
  await context.faults('order-settle.notified')
  const facts = { userId: order.user_id, locale: order.locale, requestId: order.request_id, performedAtMs: now, tax }
  const sold = { id: order.id, product: order.product, months: order.months, totalFt: order.total_ft }
  // Last: everybody else's invoices wait for this transaction from here on. What a coupon paid whole took no money.
  if (order.hold_id !== null) await issueInvoice(tx, context, invoiceOfOrder(facts, sold))
  await context.faults('order-settle.invoiced')
  context.log.info({ requestId: order.request_id, orderId: order.id, serverId: order.server_id }, 'order completed')
}

/** What each month was paid with: a coupon may have lowered the first alone. */
export function spansOf(order: OrderRow, startMs: number): PaidSpan[] {
  const { months, monthly_ft: monthlyFt, total_ft: totalFt, paid_by_month: stored } = order
  const shares = Array.from({ length: months }, () => 1n)
  const paidByMonth =
    stored?.length === months ? stored.map((amountFt) => forints(BigInt(amountFt))) : allocate(forints(totalFt), shares)
  return spansOfMonths({ startMs, monthly: forints(monthlyFt), paidByMonth })
}

type Failure = { order: OrderRow; reason: string; holdState: 'released' | 'expired' }

async function failOrder(tx: Sql, context: MoneyContext, { order, reason, holdState }: Failure): Promise<void> {
  const now = context.clock.now()
  const ledger = context.ledgerOn(tx)
  if (order.hold_id !== null) {
    const freed = await ledger.release({ holdId: order.hold_id, state: holdState, atMs: now })
    assert(freed.ok, `The hold of a provisioning order is open: ${freed.ok ? '' : freed.code}`)
  }
  await settleCoupon(tx, context, { orderId: order.id, state: 'released' })
  await context.faults('order-settle.money-moved')
  await tx.query(`update control.orders set state = 'failed', failure_reason = $2, settled_at = $3 where id = $1`, [
    order.id,
    reason || 'unknown',
    new Date(now),
  ])
  // Whatever the node has of it is taken down by the reconcile loop under a higher generation.
  await requestDeletion(tx, order.server_id)
  await setStatementStatus(tx, context, { document: { kind: 'order', id: order.id }, status: 'failed' })
  await context.faults('order-settle.order-written')
  const requestId = order.request_id
  const change = forints(order.total_ft)
  if (order.hold_id !== null) {
    const { available } = await ledger.userBalance(order.user_id, 'HUF')
    await announceBalance(tx, context, { userId: order.user_id, type: 'refund', change, balance: available, requestId })
  }
  const data = { sid: order.server_id, product: order.product[order.locale], amount: Number(order.total_ft) }
  await notifyUser(tx, context, { userId: order.user_id, text: 'order.failed', data, requestId })
  await logOutcome(tx, context, { order, type: 'order.failed', status: 'failure' })
  const payload = { serverId: order.server_id, orderId: order.id }
  await enqueue(tx, context, { topic: 'provision-server', payload, requestId })
  await context.faults('order-settle.notified')
  context.log.warn(
    { requestId, orderId: order.id, serverId: order.server_id, reason },
    'order failed, balance restored',
  )
}

async function logOutcome(
  tx: Sql,
  context: MoneyContext,
  { order, type, status }: { order: OrderRow; type: string; status: 'success' | 'failure' },
): Promise<void> {
  const detail = { orderId: order.id, totalFt: Number(order.total_ft) }
  await recordActivity(tx, context, { userId: order.user_id, serverId: order.server_id, type, status, detail })
}

const EXPIRY_BATCH = 100

/** Fails every order whose price was set aside for too long. One that goes wrong is logged and does not stop the others. */
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

/** Orders that a coupon paid whole and test servers have no hold that could run out: they fail after the same time. */
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
