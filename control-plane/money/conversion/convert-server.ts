import type { ConversionQuote, ConversionRequest } from '#contracts/http/conversion.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { debtOpen, insufficientBalance, refuseOrder, type OrderRefusal } from '#domain/billing/order-refusal.ts'
import { spansOfMonths } from '#domain/billing/paid-time.ts'
import { firstPeriod } from '#domain/billing/period.ts'
import { asksMore } from '#domain/billing/untaken-size.ts'
import { chargeAtOnce } from '../sale/charge-at-once.ts'
import { readDebtFt } from '../wallet/debt.ts'
import { announceBalance, notifyUser, recordActivity } from '../../messages/notices/notify-user.ts'
import { oncePerKey, type KeyRefusal } from '../sale/once-per-key.ts'
import { writeStatementLine } from '../wallet/statement.ts'
import { invoiceOfOrder } from '../invoices/invoice-requests.ts'
import { issueInvoice } from '../invoices/issue-invoice.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import { insertOrder } from '../orders/place-order.ts'
import { priceOnTheWire } from '../orders/quote-order.ts'
import { reserveCoupon, settleCoupon } from '../orders/use-coupon.ts'
import { enqueue } from '../../platform/outbox-writer.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { writePaidSpans } from '../paid-time/paid-spans.ts'
import { changeSpec } from '../../servers/store/server-store.ts'
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

/** Where a crash matters, in the order in which they are passed. */
export const CONVERSION_FAULTS = [
  'conversion.begin',
  'conversion.decided',
  'conversion.money-moved',
  'conversion.order-written',
  'conversion.server-written',
  'conversion.told',
  'conversion.committed',
] as const

/** Prices the paid order of a test server without placing it. */
export async function quoteConversion(
  context: MoneyContext,
  asked: Pick<ConvertCommand, 'caller' | 'serverId' | 'request'>,
): Promise<{ ok: true; quote: ConversionQuote } | ConvertRefusal> {
  const decided = await decideOn(context.db, { context, isOrder: false }, asked)
  if (!decided.ok) return decided
  const { order, available, premiumPercent, paidFromMs } = decided
  const expiresAtMs = firstPeriod(paidFromMs, order.quote.months).endMs
  const debtFt = Number(await readDebtFt(context.ledgerOn(context.db), asked.caller.userId))
  const beside = { available, debtFt, premiumPercent, expiresAtMs, tax: order.tax }
  const price = priceOnTheWire(order.quote, beside)
  return { ok: true, quote: { ...price, paidFrom: new Date(paidFromMs).toISOString() } }
}

/**
 * Makes a paid server of a test server in one transaction: its files stay, its size becomes what was bought, and its paid time begins
 * where the test ends. That the customer has had a test server stays written.
 */
export async function convertServer(
  context: MoneyContext,
  command: ConvertCommand,
): Promise<{ ok: true; answer: Converted; replayed: boolean } | ConvertRefusal | KeyRefusal> {
  const { caller, serverId, request, idempotencyKey: key } = command
  const result = await context.db.transaction((tx) => {
    const body = { serverId, request }
    const keyed = { scope: 'conversion', userId: caller.userId, key, body, atMs: context.clock.now() } as const
    return oncePerKey<Converted, ConvertRefusal>(tx, keyed, () => convertOnce(tx, context, command))
  })
  await context.faults('conversion.committed')
  if (result.ok) context.log.info({ requestId: command.requestId, serverId, ...result.answer }, 'test server converted')
  return result
}

async function convertOnce(
  tx: Sql,
  context: MoneyContext,
  command: ConvertCommand,
): Promise<{ ok: true; answer: Converted } | ConvertRefusal> {
  const { caller, serverId, request } = command
  await context.faults('conversion.begin')
  await tx.query('select 1 from control.servers where id = $1 for no key update', [serverId])
  const decided = await decideOn(tx, { context, isOrder: true }, command)
  if (!decided.ok) return decided
  if (!caller.isVerified) return refuseOrder('EMAIL_NOT_VERIFIED')
  const total = decided.order.quote.total.minor
  if (request.expectedTotalFt !== undefined && BigInt(request.expectedTotalFt) !== total) {
    return refuseOrder('PRICE_CHANGED', { price: total.toString() })
  }
  const owedFt = await readDebtFt(context.ledgerOn(tx), caller.userId)
  if (owedFt > 0n) return debtOpen(owedFt)
  if (decided.available.minor < total) return insufficientBalance(total - decided.available.minor)
  await context.faults('conversion.decided')
  const step = { command, decided, orderId: context.ids.next() }
  const taken = await takePrice(tx, context, step)
  if (!taken.ok) return taken
  await context.faults('conversion.money-moved')
  await writeOrder(tx, context, { ...step, holdId: taken.holdId })
  await context.faults('conversion.order-written')
  await writeServer(tx, context, step)
  await context.faults('conversion.server-written')
  await tell(tx, context, step)
  await context.faults('conversion.told')
  if (taken.holdId !== null) await invoice(tx, context, step)
  return { ok: true, answer: { orderId: step.orderId, totalFt: Number(total) } }
}

type Step = { readonly command: ConvertCommand; readonly decided: DecidedConversion; readonly orderId: string }

/** Held and taken at once: the server is there. What a coupon pays whole takes nothing. */
async function takePrice(
  tx: Sql,
  context: MoneyContext,
  { command, decided, orderId }: Step,
): Promise<{ ok: true; holdId: string | null } | OrderRefusal> {
  const { caller, requestId } = command
  const { quote, service } = decided.order
  const { rateBasisPoints } = decided.order.tax
  if (quote.total.minor === 0n) return { ok: true, holdId: null }
  const charged = await chargeAtOnce(tx, context, {
    ...{ userId: caller.userId, total: quote.total, rateBasisPoints, requestId },
    ...{ kind: 'order', key: `order:${orderId}` },
    ...{ ref: { type: 'order', id: orderId }, reason: `Order of ${service.name.en}` },
  })
  return charged.ok ? charged : insufficientBalance(charged.missing.minor)
}

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

/** It keeps its node, its ports and its files. What the end of the test stopped runs again. */
async function writeServer(tx: Sql, context: MoneyContext, { command, decided, orderId }: Step): Promise<void> {
  const { serverId, requestId } = command
  const { order, paidFromMs } = decided
  const { limits, quote } = order
  await tx.query(
    `update control.servers set is_test = false, package_id = $2, monthly_price_ft = $3, cpu_percent = $4, memory_mib = $5,
       storage_mib = $6, expires_at = $7, stopped_by_expiry = false,
       desired_power = case when stopped_by_expiry then 'running' else desired_power end where id = $1`,
    [
      ...[serverId, order.package?.id ?? null, quote.pricePerMonth.minor.toString()],
      ...[
        limits.cpuPercent,
        limits.memoryMiB,
        limits.storageMiB,
        new Date(firstPeriod(paidFromMs, quote.months).endMs),
      ],
    ],
  )
  const { record: before } = decided
  const generation = await changeSpec(tx, serverId, { limits: { ...before.spec.limits, ...limits } })
  if (asksMore(before, limits)) await noteOnItsWay(tx, { orderId, before, generation })
  await enqueue(tx, context, { topic: 'provision-server', payload: { serverId }, requestId })
}

async function tell(tx: Sql, context: MoneyContext, { command, decided, orderId }: Step): Promise<void> {
  const { caller, serverId, requestId } = command
  const { userId, address, locale } = caller
  const { total: change } = decided.order.quote
  const { name } = decided.order.service
  await writeStatementLine(tx, context, {
    ...{ userId, type: 'order', paymentType: 'balance', amountFt: -change.minor, status: 'finished' },
    reason: `Order of ${name.en}`,
    document: { kind: 'order', id: orderId },
  })
  const detail = { orderId, totalFt: Number(change.minor) }
  await recordActivity(tx, context, { userId, serverId, address, type: 'server.converted', status: 'success', detail })
  if (change.minor > 0n) {
    const { available: balance } = await context.ledgerOn(tx).userBalance(userId, 'HUF')
    await announceBalance(tx, context, { userId, type: 'order', change, balance, requestId })
  }
  const data = { sid: serverId, product: name[locale], amount: Number(change.minor) }
  await notifyUser(tx, context, { userId, text: 'purchase.success', data, requestId })
}

/** Last: everybody else's invoices wait for this transaction from here on. */
async function invoice(tx: Sql, context: MoneyContext, { command, decided, orderId }: Step): Promise<void> {
  const { caller, requestId } = command
  const { service, quote, tax } = decided.order
  const facts = { userId: caller.userId, locale: caller.locale, requestId, performedAtMs: context.clock.now(), tax }
  const sold = { id: orderId, product: service.name, months: quote.months, totalFt: quote.total.minor }
  await issueInvoice(tx, context, invoiceOfOrder(facts, sold))
}
