import type { QuoteRequest } from '#contracts/http/order.ts'
import type { PackageRow, ServiceRow } from '#contracts/cms-api/rows.ts'
import { forints } from '#domain/billing/money.ts'
import { assert } from '#domain/kernel/assert.ts'
import { COUPON_REFUSALS, normaliseCode, type CouponRefusal } from '#domain/billing/coupon.ts'
import { priceOrderParts, type OrderPrice, type OrderPriceRequest } from '#domain/billing/order-price.ts'
import { refuseOrder, type OrderRefusal } from '#domain/billing/order-refusal.ts'
import type { TaxRule } from '#domain/billing/tax-rule.ts'
import { checkSizeForPoints, type Offer, type ResourceOption } from '#domain/billing/price.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readSettings } from '../../cms/cms-reader.ts'
import { readPackage, readService } from '../../cms/catalog-reader.ts'
import { taxOfCustomer } from '../tax/tax-of-sale.ts'
import type { Limits } from '../../servers/placement/limits.ts'
import { findCoupon } from './find-coupon.ts'

export type PricedOrder = {
  readonly ok: true
  readonly service: ServiceRow
  readonly package: PackageRow | undefined
  readonly limits: Limits
  readonly quote: OrderPrice
  /** The rule that split `quote.vat`; stored with the order. */
  readonly tax: TaxRule
  /** Whether each customer may use the coupon only once. */
  readonly isCouponForOnce: boolean
}

/** The customer of a price, and its time. */
export type Customer = {
  readonly userId: string
  readonly nowMs: number
  /** The discount of the customer's premium tier, 0 without one. */
  readonly premiumPercent: number
  /** Whether the price is about to be charged: its coupon is then locked until the transaction ends. */
  readonly isOrder: boolean
}

type Refusal = OrderRefusal | CouponRefusal
type Found = Pick<PricedOrder, 'service' | 'package' | 'limits'>
type Asked = { readonly offer: Offer; readonly chosen: Record<string, number> }
type Offered = { readonly ok: true; readonly found: Found; readonly asked: Asked }

const RESOURCE_KEYS = ['cpuPercent', 'ramMiB', 'storageMiB'] as const

/** Finds the ordered product and prices it from the catalog alone. The request cannot influence the price (T74). */
export async function priceOrder(sql: Sql, request: QuoteRequest, customer: Customer): Promise<PricedOrder | Refusal> {
  const service = await readService(sql, request.serviceId)
  if (!service) return refuseOrder('NOT_FOUND')
  if (!service.orderable) return refuseOrder('NOT_ORDERABLE')
  const offered = request.packageId ? await offerPackage(sql, service, request) : offerResources(service, request)
  if (!offered.ok) return offered
  const { found, asked } = offered
  const typed = await typedCoupon(sql, { request, found, customer })
  if (!typed.ok) return typed
  const { coupon } = typed
  const { months } = request
  const { premiumPercent, userId, nowMs } = customer
  const tax = await taxOfCustomer(sql, { userId, atMs: nowMs })
  const { rateBasisPoints } = tax
  const price = priceOrderParts({ ...asked, months, currency: 'HUF', premiumPercent, coupon, rateBasisPoints })
  if (!price.ok) return price
  return { ok: true, ...found, quote: price, tax, isCouponForOnce: coupon?.found?.usage === 'once' }
}

const isOfCoupon = (refusal: Refusal): refusal is CouponRefusal => COUPON_REFUSALS.some((code) => code === refusal.code)

/** The price of an order without any coupon. */
export async function priceWithoutCoupon(
  sql: Sql,
  request: Omit<QuoteRequest, 'couponCode'>,
  customer: Pick<Customer, 'userId' | 'nowMs'>,
): Promise<PricedOrder | OrderRefusal> {
  const priced = await priceOrder(sql, request, { ...customer, premiumPercent: 0, isOrder: false })
  if (priced.ok) return priced
  assert(!isOfCoupon(priced), 'No coupon was named.')
  return priced
}

async function typedCoupon(
  sql: Sql,
  { request, found, customer }: { request: QuoteRequest; found: Found; customer: Customer },
): Promise<{ ok: true; coupon: OrderPriceRequest['coupon'] } | CouponRefusal> {
  if (!request.couponCode) return { ok: true, coupon: undefined }
  const areCouponsEnabled = (await readSettings(sql)).coupon_use
  if (!areCouponsEnabled) return { ok: false, code: 'COUPONS_DISABLED' }
  const code = normaliseCode(request.couponCode)
  if (code === undefined) return { ok: false, code: 'COUPON_INVALID' }
  const { userId, nowMs, isOrder } = customer
  const { found: coupon, uses } = await findCoupon(sql, { code, userId, isOrder })
  const what = { serviceId: found.service.id, packageId: found.package?.id }
  return { ok: true, coupon: { found: coupon, context: { areCouponsEnabled, userId, nowMs, ...what, ...uses } } }
}

async function offerPackage(sql: Sql, service: ServiceRow, request: QuoteRequest): Promise<Offered | OrderRefusal> {
  const found = await readPackage(sql, request.packageId ?? '')
  if (!found || found.service_id !== service.id) return refuseOrder('NOT_FOUND')
  if (!found.orderable) return refuseOrder('NOT_ORDERABLE')
  if (request.resources) return refuseOrder('INVALID_RESOURCES', { resource: 'package', reason: 'unknown' })
  const offer: Offer = { kind: 'package', pricePerMonth: forints(BigInt(found.price_per_month_ft)) }
  const limits = { cpuPercent: found.cpu_percent, memoryMiB: found.memory_mib, storageMiB: found.storage_mib }
  return { ok: true, found: { service, package: found, limits }, asked: { offer, chosen: {} } }
}

function offerResources(service: ServiceRow, request: QuoteRequest): Offered | OrderRefusal {
  const { resources: chosen } = request
  if (!chosen) return refuseOrder('INVALID_RESOURCES', { resource: 'package', reason: 'missing' })
  const limits = { cpuPercent: chosen.cpuPercent, memoryMiB: chosen.ramMiB, storageMiB: chosen.storageMiB }
  const found = { service, package: undefined, limits }
  const options = resourceOptions(service)
  if (!options) return refuseOrder('NOT_ORDERABLE')
  const { points, ...rest } = chosen
  const byPoints = pointsOffer(service)
  if (!byPoints) {
    const asked = points === undefined ? rest : { ...rest, points }
    return { ok: true, found, asked: { offer: { kind: 'resources', options }, chosen: asked } }
  }
  const { minPoints, maxPoints } = byPoints
  const bought = points ?? 0
  // The price checks the range of points itself; the size is computed only for valid points.
  if (bought >= minPoints && bought <= maxPoints) {
    const fits = checkSizeForPoints(byPoints, options, { points: bought, chosen: rest })
    if (!fits.ok) return fits
  }
  return { ok: true, found, asked: { offer: byPoints, chosen: { points: bought } } }
}

function resourceOptions({ resources }: ServiceRow): ResourceOption[] | undefined {
  if (!resources) return undefined
  return RESOURCE_KEYS.map((key) => {
    const { minimum, maximum, step, unitPriceFt } = resources[key]
    return { key, min: minimum, max: maximum, step, unitPrice: forints(BigInt(unitPriceFt)) }
  })
}

function pointsOffer(service: ServiceRow): Extract<Offer, { kind: 'points' }> | undefined {
  const { points_count: most, minimum_point: least, price_per_point_ft: price } = service
  if (most === null || least === null || price === null) return undefined
  return { kind: 'points', minPoints: least, maxPoints: most, pricePerPoint: forints(BigInt(price)) }
}
