import type { ConversionQuote, ConversionRequest } from '#contracts/http/conversion.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { debtOpen, insufficientBalance, refuseOrder } from '#domain/billing/order-refusal.ts'
import { spansOfMonths } from '#domain/billing/paid-time.ts'
import { paidPeriod } from '#domain/billing/period.ts'
import { asksMore } from '#domain/billing/rejected-resize.ts'
import { enqueue } from '../../platform/outbox-writer.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { changeSpec } from '../../servers/store/server-store.ts'
import { lockInOrder } from '../ledger/lock-order.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import { insertOrder } from '../orders/place-order.ts'
import { priceOnTheWire } from '../orders/quote-order.ts'
import { reserveCoupon, settleCoupon } from '../orders/use-coupon.ts'
import { writePaidSpans } from '../paid-time/paid-spans.ts'
import type { KeyRefusal } from '../../platform/once-per-key.ts'
import { sell, sellOnce } from '../sale/till.ts'
import { CONVERSION } from '../things/conversion.ts'
import { readDebtFt } from '../wallet/debt.ts'
import { noteOnItsWay } from './converted-from.ts'
import { decideOn, type ConvertRefusal, type DecidedConversion } from './decide-conversion.ts'

export type ConvertCommand = {
  readonly caller: Caller
  readonly serverId: string
  readonly request: ConversionRequest
  readonly idempotencyKey: string
  readonly requestId: string
}
export type Converted = { readonly orderId: string; readonly totalFt: number }

/** Fault points in the order in which they are passed. */
export const CONVERSION_FAULTS = [
  'conversion.begin',
  'conversion.decided',
  'conversion.money-moved',
  'conversion.order-written',
  'conversion.server-written',
  'conversion.told',
  'conversion.committed',
] as const

/** Prices the conversion of a test server without placing the order. */
export async function quoteConversion(
  context: MoneyContext,
  asked: Pick<ConvertCommand, 'caller' | 'serverId' | 'request'>,
): Promise<{ ok: true; quote: ConversionQuote } | ConvertRefusal> {
  const decided = await decideOn(context.db, { context, isOrder: false }, asked)
  if (!decided.ok) return decided
  const { order, available, premiumPercent, paidFromMs } = decided
  const expiresAtMs = paidPeriod(paidFromMs, order.quote.months).endMs
  const debtFt = Number(await readDebtFt(context.ledgerOn(context.db), asked.caller.userId))
  const beside = { available, debtFt, premiumPercent, expiresAtMs, tax: order.tax }
  const price = priceOnTheWire(order.quote, beside)
  return { ok: true, quote: { ...price, paidFrom: new Date(paidFromMs).toISOString() } }
}

/**
 * Converts a test server to a paid one in one transaction: its files stay, it gets the ordered size, and its paid time
 * begins at the end of the test. The record that the customer had a test server stays.
 */
export async function convertServer(
  context: MoneyContext,
  command: ConvertCommand,
): Promise<{ ok: true; answer: Converted; replayed: boolean } | ConvertRefusal | KeyRefusal> {
  const { caller, serverId, request, idempotencyKey: key } = command
  const asked = { thing: CONVERSION, userId: caller.userId, key, body: { serverId, request } }
  const result = await sellOnce<Converted, ConvertRefusal>(context, asked, (tx) => convertOnce(tx, context, command))
  if (result.ok) context.log.info({ requestId: command.requestId, serverId, ...result.answer }, 'test server converted')
  return result
}

async function convertOnce(
  tx: Sql,
  context: MoneyContext,
  command: ConvertCommand,
): Promise<{ ok: true; answer: Converted } | ConvertRefusal> {
  const { caller: buyer, serverId, request, requestId } = command
  await lockInOrder(tx, { server: serverId })
  const decided = await decideOn(tx, { context, isOrder: true }, command)
  if (!decided.ok) return decided
  if (!buyer.isVerified) return refuseOrder('EMAIL_NOT_VERIFIED')
  const { service, quote, tax } = decided.order
  const { total } = quote
  if (request.expectedTotalFt !== undefined && BigInt(request.expectedTotalFt) !== total.minor) {
    return refuseOrder('PRICE_CHANGED', { price: total.minor.toString() })
  }
  const owedFt = await readDebtFt(context.ledgerOn(tx), buyer.userId)
  if (owedFt > 0n) return debtOpen(owedFt)
  if (decided.available.minor < total.minor) return insufficientBalance(total.minor - decided.available.minor)
  await context.faults('conversion.decided')
  const orderId = context.ids.next()
  const facts = { product: service.name, months: quote.months }
  const sold = await sell(tx, context, {
    sale: { thing: CONVERSION, id: orderId, facts, total, tax, buyer, serverId, requestId },
    deliver: async (holdId) => {
      await writeOrder(tx, context, { command, decided, orderId, holdId })
      await context.faults('conversion.order-written')
      await writeServer(tx, context, { command, decided, orderId })
      await context.faults('conversion.server-written')
    },
  })
  if (!sold.ok) return insufficientBalance(sold.missing.minor)
  return { ok: true, answer: { orderId, totalFt: Number(total.minor) } }
}

type Step = { readonly command: ConvertCommand; readonly decided: DecidedConversion; readonly orderId: string }

async function writeOrder(
  tx: Sql,
  context: MoneyContext,
  { command, decided, orderId, holdId }: Step & { holdId: string | null },
): Promise<void> {
  const { serverId, caller } = command
  const { order, paidFromMs } = decided
  const { quote } = order
  await insertOrder(tx, context, { command, checked: { order, orderId }, holdId, serverId })
  await tx.query(`update control.orders set state = 'completed', settled_at = $2 where id = $1`, [
    orderId,
    new Date(context.clock.now()),
  ])
  await reserveCoupon(tx, context, { orderId, userId: caller.userId, price: quote, once: order.isCouponForOnce })
  await settleCoupon(tx, context, { orderId, state: 'used' })
  const { pricePerMonth: monthly, paidByMonth } = quote
  const spans = spansOfMonths({ startMs: paidFromMs, monthly, paidByMonth })
  await writePaidSpans(tx, context, { serverId, source: { orderId }, spans })
}

/** It keeps its node, ports and files. If the end of the test stopped it, it runs again. */
async function writeServer(tx: Sql, context: MoneyContext, { command, decided, orderId }: Step): Promise<void> {
  const { serverId, requestId } = command
  const { order, paidFromMs } = decided
  const { limits, quote } = order
  await tx.query(
    `update control.servers set is_test = false, package_id = $2, monthly_price_ft = $3, cpu_percent = $4, memory_mib = $5,
       storage_mib = $6, expires_at = $7, stopped_by_expiry = false,
       desired_power = case when stopped_by_expiry then 'running' else desired_power end where id = $1`,
    [
      serverId,
      order.package?.id ?? null,
      quote.pricePerMonth.minor.toString(),
      limits.cpuPercent,
      limits.memoryMiB,
      limits.storageMiB,
      new Date(paidPeriod(paidFromMs, quote.months).endMs),
    ],
  )
  const { record: before } = decided
  const generation = await changeSpec(tx, serverId, { limits: { ...before.spec.limits, ...limits } })
  if (asksMore(before, limits)) await noteOnItsWay(tx, { orderId, before, generation })
  await enqueue(tx, context, { topic: 'provision-server', payload: { serverId }, requestId })
}
