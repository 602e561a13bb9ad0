import type { QuoteRequest } from '#contracts/http/order.ts'
import type { PackageRow, ServiceRow } from '#contracts/cms-api/rows.ts'
import { forints } from '#domain/billing/money.ts'
import { refuseOrder, type OrderRefusal } from '#domain/billing/order-refusal.ts'
import { checkSizeForPoints, quote, type Offer, type Quote, type ResourceOption } from '#domain/billing/price.ts'
import type { Sql } from '../platform/postgres.ts'
import { readPackage, readService } from './catalog-reader.ts'

export type Limits = { readonly cpuPercent: number; readonly memoryMiB: number; readonly storageMiB: number }

export type PricedOrder = {
  readonly ok: true
  readonly service: ServiceRow
  readonly package: PackageRow | undefined
  readonly limits: Limits
  readonly quote: Quote
}

const RESOURCE_KEYS = ['cpuPercent', 'ramMiB', 'storageMiB'] as const

/** Finds what is ordered and prices it from the catalog alone. Nothing in the request can name a price. */
export async function priceOrder(sql: Sql, request: QuoteRequest): Promise<PricedOrder | OrderRefusal> {
  const service = await readService(sql, request.serviceId)
  if (!service) return refuseOrder('NOT_FOUND')
  if (!service.orderable) return refuseOrder('NOT_ORDERABLE')
  if (request.couponCode) return refuseOrder('COUPON_NOT_FOUND')
  return request.packageId ? pricePackage(sql, service, request) : priceResources(service, request)
}

async function pricePackage(sql: Sql, service: ServiceRow, request: QuoteRequest): Promise<PricedOrder | OrderRefusal> {
  const found = await readPackage(sql, request.packageId ?? '')
  if (!found || found.service_id !== service.id) return refuseOrder('NOT_FOUND')
  if (!found.orderable) return refuseOrder('NOT_ORDERABLE')
  if (request.resources) return refuseOrder('INVALID_RESOURCES', { resource: 'package', reason: 'unknown' })
  const offer: Offer = { kind: 'package', pricePerMonth: forints(BigInt(found.price_per_month_ft)) }
  const limits = { cpuPercent: found.cpu_percent, memoryMiB: found.memory_mib, storageMiB: found.storage_mib }
  return priced({ service, package: found, limits }, { offer, chosen: {}, months: request.months })
}

function priceResources(service: ServiceRow, request: QuoteRequest): PricedOrder | OrderRefusal {
  const { resources: chosen } = request
  if (!chosen) return refuseOrder('INVALID_RESOURCES', { resource: 'package', reason: 'missing' })
  const limits = { cpuPercent: chosen.cpuPercent, memoryMiB: chosen.ramMiB, storageMiB: chosen.storageMiB }
  const base = { service, package: undefined, limits }
  const options = resourceOptions(service)
  if (!options) return refuseOrder('NOT_ORDERABLE')
  const { points, ...rest } = chosen
  const byPoints = pointsOffer(service)
  if (byPoints) {
    const result = priced(base, { offer: byPoints, chosen: { points: points ?? 0 }, months: request.months })
    if (!result.ok) return result
    const fits = checkSizeForPoints(byPoints, options, { points: points ?? 0, chosen: rest })
    return fits.ok ? result : fits
  }
  const asked = points === undefined ? rest : { ...rest, points }
  return priced(base, { offer: { kind: 'resources', options }, chosen: asked, months: request.months })
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

function priced(
  base: Pick<PricedOrder, 'service' | 'package' | 'limits'>,
  request: { offer: Offer; chosen: Record<string, number>; months: number },
): PricedOrder | OrderRefusal {
  const result = quote({ ...request, currency: 'HUF' })
  return result.ok ? { ok: true, ...base, quote: result } : result
}
