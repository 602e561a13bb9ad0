import type { ConversionQuoteRequest } from '#contracts/http/conversion.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import type { CouponRefusal } from '#domain/billing/coupon.ts'
import { convertTestServer } from '#domain/billing/lifetime.ts'
import type { Money } from '#domain/billing/money.ts'
import { refuseOrder, type OrderRefusal } from '#domain/billing/order-refusal.ts'
import { hasRoomFor } from '../../servers/placement/room.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import { priceOrder, type PricedOrder } from '../orders/price-order.ts'
import type { Sql } from '#platform/postgres/database.ts'
import type { RenewableRow } from '../paid-time/lock-renewable.ts'
import { ownServer } from '../paid-time/own-server.ts'
import { readSettings } from '../../cms/cms-reader.ts'
import { premiumPercentOf } from '../premium/premium-store.ts'
import type { ServerRecord } from '../../servers/store/server-store.ts'

export type ConvertRefusal =
  | OrderRefusal
  | CouponRefusal
  | { readonly ok: false; readonly code: 'NOT_A_TEST_SERVER' | 'SERVER_DELETED' | 'FORBIDDEN' | 'NOT_INSTALLED' }

export type DecidedConversion = {
  readonly ok: true
  readonly server: RenewableRow
  /** The test server before the conversion. */
  readonly record: ServerRecord
  readonly order: PricedOrder
  readonly premiumPercent: number
  readonly paidFromMs: number
  /** The spendable balance, regardless of debts: a customer in debt is refused separately. */
  readonly available: Money
}

type Asked = { readonly caller: Caller; readonly serverId: string; readonly request: ConversionQuoteRequest }

/**
 * The current outcome of converting a test server. In a transaction that writes, the server's row is locked already.
 */
export async function decideOn(
  sql: Sql,
  { context, isOrder }: { context: MoneyContext; isOrder: boolean },
  { caller, serverId, request }: Asked,
): Promise<DecidedConversion | ConvertRefusal> {
  const own = await ownServer(sql, caller, serverId)
  if (!own.ok) return own
  const { server, record } = own
  const { userId } = caller
  const nowMs = context.clock.now()
  const decided = convertTestServer({ ...server, nowMs })
  if (!decided.ok) return decided
  if (!(await isInstalled(sql, serverId))) return { ok: false, code: 'NOT_INSTALLED' }
  if (!(await readSettings(sql)).ordering) return refuseOrder('ORDERING_DISABLED')
  const premiumPercent = await premiumPercentOf(sql, { userId, nowMs })
  const { packageId, resources, months, couponCode } = request
  const wanted = { serviceId: record.serviceId, packageId, resources, months, couponCode }
  const order = await priceOrder(sql, wanted, { userId, nowMs, premiumPercent, isOrder })
  if (!order.ok) return order
  if (order.quote.subtotal.minor <= 0n) return refuseOrder('NOT_ORDERABLE')
  if (!(await hasRoomFor(sql, record, order.limits))) return refuseOrder('NO_CAPACITY')
  const { available } = await context.ledgerOn(sql).userBalance(userId, 'HUF')
  return { ok: true, server, record, order, premiumPercent, paidFromMs: decided.paidFromMs, available }
}

async function isInstalled(sql: Sql, serverId: string): Promise<boolean> {
  const rows = await sql.query('select 1 from control.test_servers where server_id = $1 and settled_at is not null', [
    serverId,
  ])
  return rows.length === 1
}
