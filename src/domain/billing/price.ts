import { divideRounded, money, subtract, sum, times, type CurrencyCode, type Money } from './money.ts'
import { refuseOrder, type OrderRefusal } from './order-refusal.ts'
import { isRentableMonths } from './period.ts'

/** A resource of an order, with its bounds. Units are those of the service (%, GB, pieces). */
export type ResourceOption = {
  readonly key: string
  readonly min: number
  readonly max: number
  readonly step: number
  /** Price of one step per month. */
  readonly unitPrice: Money
}

/** How a service is sold: in packages, by single resources, or by points. */
export type Offer =
  | { readonly kind: 'package'; readonly pricePerMonth: Money }
  | { readonly kind: 'resources'; readonly options: readonly ResourceOption[] }
  | { readonly kind: 'points'; readonly minPoints: number; readonly maxPoints: number; readonly pricePerPoint: Money }

export type QuoteRequest = {
  readonly offer: Offer
  readonly months: unknown
  /** Chosen amount by resource key; `points` for an offer by points. */
  readonly chosen: Readonly<Record<string, number>>
  readonly currency: CurrencyCode
}

export type QuoteLine = { readonly key: string; readonly quantity: number; readonly pricePerMonth: Money }

export type Quote = {
  readonly ok: true
  readonly months: number
  readonly lines: readonly QuoteLine[]
  readonly pricePerMonth: Money
  /** Price of all months before any discount, tax included. */
  readonly subtotal: Money
  readonly discount: Money
  readonly total: Money
}

type PricedLines = { readonly ok: true; readonly lines: readonly QuoteLine[] } | OrderRefusal

/**
 * Prices an order. All prices include tax. The caller passes the stored prices, so that the request cannot change one;
 * an unknown resource, or a value outside its bounds or off its step, is refused.
 */
export function quote(request: QuoteRequest): Quote | OrderRefusal {
  const { months } = request
  if (!isRentableMonths(months)) return refuseOrder('MONTHS_INVALID')
  const priced = priceLines(request)
  if (!priced.ok) return priced
  const { lines } = priced
  const pricePerMonth = sum(
    lines.map((line) => line.pricePerMonth),
    request.currency,
  )
  const subtotal = times(pricePerMonth, BigInt(months))
  const discount = money(0n, request.currency)
  const total = subtract(subtotal, discount)
  return { ok: true, months, lines, pricePerMonth, subtotal, discount, total }
}

function priceLines(request: QuoteRequest): PricedLines {
  const { offer, chosen } = request
  switch (offer.kind) {
    case 'package':
      return { ok: true, lines: [{ key: 'package', quantity: 1, pricePerMonth: offer.pricePerMonth }] }
    case 'points': {
      const { minPoints, maxPoints, pricePerPoint } = offer
      return priceResources(
        [{ key: 'points', min: minPoints, max: maxPoints, step: 1, unitPrice: pricePerPoint }],
        chosen,
      )
    }
    case 'resources':
      return priceResources(offer.options, chosen)
  }
}

function priceResources(options: readonly ResourceOption[], chosen: QuoteRequest['chosen']): PricedLines {
  const unknown = Object.keys(chosen).find((key) => !options.some((option) => option.key === key))
  if (unknown !== undefined) return refuseResource(unknown, 'unknown')
  const lines: QuoteLine[] = []
  for (const option of options) {
    const quantity = Object.hasOwn(chosen, option.key) ? chosen[option.key] : undefined
    if (quantity === undefined) return refuseResource(option.key, 'missing')
    if (!Number.isSafeInteger(quantity) || quantity < option.min || quantity > option.max) {
      return refuseResource(option.key, 'out-of-range')
    }
    if ((quantity - option.min) % option.step !== 0) return refuseResource(option.key, 'off-step')
    lines.push({ key: option.key, quantity, pricePerMonth: priceOf(option, quantity) })
  }
  return { ok: true, lines }
}

type PointsOffer = Extract<Offer, { kind: 'points' }>

/**
 * Whether `points` pay for the size `chosen`, by resource key. The minimum points buy each resource's minimum, the
 * maximum its maximum, and points in between their share, in whole steps. Without this a single point would buy any
 * size.
 */
export function checkSizeForPoints(
  offer: PointsOffer,
  options: readonly ResourceOption[],
  size: { readonly points: number; readonly chosen: QuoteRequest['chosen'] },
): { readonly ok: true } | OrderRefusal {
  const range = offer.maxPoints - offer.minPoints
  const share = range === 0 ? 1 : (size.points - offer.minPoints) / range
  const within = options.map((option) => ({ ...option, max: option.min + wholeSteps(option, share) }))
  const checked = priceResources(within, size.chosen)
  return checked.ok ? { ok: true } : checked
}

const wholeSteps = ({ min, max, step }: ResourceOption, share: number): number =>
  Math.floor(((max - min) * share) / step) * step

/** If the minimum is not a whole number of steps, the price is rounded once for the line. */
function priceOf({ unitPrice, step }: ResourceOption, quantity: number): Money {
  return money(divideRounded(unitPrice.minor * BigInt(quantity), BigInt(step)), unitPrice.currency)
}

function refuseResource(resource: string, reason: string): OrderRefusal {
  return refuseOrder('INVALID_RESOURCES', { resource, reason })
}
