import type { TemplateRow } from '#contracts/cms-api/rows.ts'
import type { OrderRequest } from '#contracts/http/order.ts'
import type { CouponRefusal } from '#domain/billing/coupon.ts'
import type { OrderPrice } from '#domain/billing/order-price.ts'
import { debtOpen, insufficientBalance, refuseOrder, type OrderRefusal } from '#domain/billing/order-refusal.ts'
import { readDebtFt } from '../wallet/debt.ts'
import { storedTax } from '../tax/tax-of-sale.ts'
import { enqueue } from '../../platform/outbox-writer.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readSettings } from '../../cms/cms-reader.ts'
import { premiumPercentOf } from '../premium/premium-store.ts'
import { readTemplate } from '../../cms/catalog-reader.ts'
import type { KeyRefusal } from '../../platform/once-per-key.ts'
import { sellLater, sellOnce } from '../sale/till.ts'
import { ORDER } from '../things/order.ts'
import { chooseImages, type ChosenImages } from '../../servers/placement/choose-image.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import { HOLD_MS, type OrderCaller } from './order-context.ts'
import { canRun, placeOnNode, type ChosenNode } from '../../servers/placement/place-on-node.ts'
import { takePorts } from '../../servers/placement/take-ports.ts'
import { priceOrder, type PricedOrder } from './price-order.ts'
import { partOnTheWire } from './quote-order.ts'
import { takeIdentifier, writeServer, writeSpec, type NewServer } from './write-server.ts'
import { reserveCoupon } from './use-coupon.ts'

export type PlacedOrder = { readonly orderId: string; readonly serverId: string }

type PlaceOrder = OrderCaller & { readonly request: OrderRequest; readonly idempotencyKey: string }
type Refusal = OrderRefusal | CouponRefusal
type Checked = {
  order: PricedOrder
  template: TemplateRow
  node: ChosenNode
  images: ChosenImages
  orderId: string
}

/**
 * Places an order in one transaction: price, kill switch, capacity, hold, server, ports, statement and outbox are
 * written together or not at all. Everything is checked first; nothing may refuse after the hold.
 */
export async function placeOrder(
  context: MoneyContext,
  command: PlaceOrder,
): Promise<{ ok: true; answer: PlacedOrder; replayed: boolean } | Refusal | KeyRefusal> {
  const { caller, request: body, idempotencyKey: key, requestId } = command
  const asked = { thing: ORDER, userId: caller.userId, key, body }
  const result = await sellOnce<PlacedOrder, Refusal>(context, asked, (tx) => placeOnce(tx, context, command))
  if (result.ok) {
    const { orderId, serverId } = result.answer
    context.log.info({ requestId, orderId, serverId, replayed: result.replayed }, 'order placed')
  }
  return result
}

async function placeOnce(
  tx: Sql,
  context: MoneyContext,
  command: PlaceOrder,
): Promise<{ ok: true; answer: PlacedOrder } | Refusal> {
  const checked = await checkOrder(tx, context, command)
  if (!checked.ok) return checked
  const { caller: buyer, requestId } = command
  const { orderId, order } = checked
  const { service, quote, tax } = order
  const serverId = context.ids.next()
  const facts = { product: service.name, months: quote.months }
  const sold = await sellLater(tx, context, {
    sale: { thing: ORDER, id: orderId, facts, total: quote.total, tax, buyer, serverId, requestId },
    holdMs: HOLD_MS,
    deliver: (holdId) => writeOrder(tx, context, { command, checked, holdId, serverId }),
  })
  if (!sold.ok) return insufficientBalance(sold.missing.minor)
  await enqueue(tx, context, { topic: 'provision-server', payload: { serverId, orderId }, requestId })
  await context.faults('order.outbox-written')
  return { ok: true, answer: { orderId, serverId } }
}

async function checkOrder(
  tx: Sql,
  context: MoneyContext,
  { caller, request }: PlaceOrder,
): Promise<({ ok: true } & Checked) | Refusal> {
  if (!caller.isVerified) return refuseOrder('EMAIL_NOT_VERIFIED')
  if (!(await readSettings(tx)).ordering) return refuseOrder('ORDERING_DISABLED')
  const { userId } = caller
  const nowMs = context.clock.now()
  const premiumPercent = await premiumPercentOf(tx, { userId, nowMs })
  const order = await priceOrder(tx, request, { userId, nowMs, premiumPercent, isOrder: true })
  if (!order.ok) return order
  const total = order.quote.total.minor
  if (request.expectedTotalFt !== undefined && BigInt(request.expectedTotalFt) !== total) {
    return refuseOrder('PRICE_CHANGED', { price: total.toString() })
  }
  const templateId = order.service.server_template_id
  const template = templateId === null ? undefined : await readTemplate(tx, templateId)
  if (!template || order.service.category === 'vps' || order.quote.subtotal.minor <= 0n)
    return refuseOrder('NOT_ORDERABLE')
  await context.faults('order.priced')
  // Checked before the balance: nobody is asked to top up for an unavailable server.
  const node = await placeOnNode(tx, context.clock, {
    computerIds: order.service.machine_ids,
    ports: template.required_ports,
    limits: order.limits,
    canRunOn: (runtime) => canRun(template, runtime),
  })
  if (!node.ok) return node
  const images = chooseImages(template, { runtime: node.runtime, wanted: request.dockerImage })
  if (!images.ok) return images
  const ledger = context.ledgerOn(tx)
  const owedFt = await readDebtFt(ledger, userId)
  if (owedFt > 0n) return debtOpen(owedFt)
  const { available } = await ledger.userBalance(userId, 'HUF')
  if (available.minor < total) return insufficientBalance(total - available.minor)
  await context.faults('order.placed-on-node')
  return { ok: true, order, template, node, images, orderId: context.ids.next() }
}

/** Writes the server, its ports, the order and the use of its coupon. */
async function writeOrder(
  tx: Sql,
  context: MoneyContext,
  {
    command,
    checked,
    holdId,
    serverId: id,
  }: { command: PlaceOrder; checked: Checked; holdId: string | null; serverId: string },
): Promise<void> {
  const { caller, request } = command
  const { order, node, images, orderId, template } = checked
  const identifier = await takeIdentifier(tx, context)
  const server: NewServer = {
    id,
    identifier,
    ownerId: caller.userId,
    name: request.name,
    node,
    images,
    order,
    template,
  }
  await writeServer(tx, context, server)
  await context.faults('order.server-written')
  const count = template.required_ports
  await writeSpec(tx, server, await takePorts(tx, context.ids, { node, serverId: server.id, count }))
  await context.faults('order.ports-taken')
  await insertOrder(tx, context, { command, checked, holdId, serverId: id })
  await context.faults('order.order-written')
  const use = { orderId, userId: caller.userId, price: order.quote, once: order.isCouponForOnce }
  await reserveCoupon(tx, context, use)
  await context.faults('order.coupon-reserved')
}

/** Writes the priced order; it is being provisioned until it is settled. */
export async function insertOrder(
  tx: Sql,
  { clock }: MoneyContext,
  {
    command,
    checked,
    holdId,
    serverId,
  }: {
    command: OrderCaller
    checked: Pick<Checked, 'order' | 'orderId'>
    holdId: string | null
    serverId: string
  },
): Promise<void> {
  const { order, orderId } = checked
  const { quote } = order
  const lines = quote.lines.map(({ key, quantity, pricePerMonth }) => ({
    key,
    quantity,
    pricePerMonthFt: Number(pricePerMonth.minor),
  }))
  await tx.query(
    `insert into control.orders (id, user_id, server_id, service_id, package_id, hold_id, months, monthly_ft, total_ft,
       net_ft, vat_ft, product, lines, locale, request_id, created_at, premium_percent, coupon_id, parts, paid_by_month, tax)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)`,
    [
      orderId,
      command.caller.userId,
      serverId,
      order.service.id,
      order.package?.id ?? null,
      holdId,
      quote.months,
      quote.pricePerMonth.minor.toString(),
      quote.total.minor.toString(),
      quote.vat.net.minor.toString(),
      quote.vat.vat.minor.toString(),
      JSON.stringify(order.service.name),
      JSON.stringify(lines),
      command.caller.locale,
      command.requestId,
      new Date(clock.now()),
      premiumPercentIn(quote),
      quote.couponId ?? null,
      JSON.stringify(quote.parts.map(partOnTheWire)),
      JSON.stringify(quote.paidByMonth.map(({ minor }) => Number(minor))),
      JSON.stringify(storedTax(order.tax)),
    ],
  )
}

const premiumPercentIn = ({ parts }: OrderPrice): number => {
  const part = parts.find(({ kind }) => kind === 'premium-discount')
  return part?.kind === 'premium-discount' ? part.percent : 0
}
