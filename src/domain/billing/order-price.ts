import { checkCoupon, couponDiscount, type Coupon, type CouponContext, type CouponRefusal } from './coupon.ts'
import { percentOf } from './discount.ts'
import { allocate, money, negate, subtract, sum, times, type Money } from './money.ts'
import type { OrderRefusal } from './order-refusal.ts'
import { quote, type Quote, type QuoteRequest } from './price.ts'
import { splitVat, type VatSplit } from './vat.ts'

export type OrderPriceRequest = QuoteRequest & {
  /** The customer's premium discount, 0 without one. */
  readonly premiumPercent: number
  /** A typed coupon: the coupon found, and its user and use. Undefined without one. */
  readonly coupon?:
    { readonly found: Coupon | undefined; readonly context: Omit<CouponContext, 'orderTotal'> } | undefined
  /** The rate of the customer's tax rule. */
  readonly rateBasisPoints: bigint
}

/** One shown and charged line: resources and packages add, discounts subtract. For the whole order, tax included. */
export type PricePart =
  | {
      readonly kind: 'resource'
      readonly key: string
      readonly quantity: number
      readonly pricePerMonth: Money
      readonly amount: Money
    }
  | { readonly kind: 'premium-discount'; readonly percent: number; readonly amount: Money }
  | { readonly kind: 'coupon'; readonly code: string; readonly amount: Money }

export type OrderPrice = Quote & {
  /** The tax in `total`, split once. */
  readonly vat: VatSplit
  /** In display order; they add up to `total`. */
  readonly parts: readonly PricePart[]
  /** The price of each month after every discount; they add up to `total`. The basis of refunds (`paid-time.ts`). */
  readonly paidByMonth: readonly Money[]
  /** The id of the used coupon. */
  readonly couponId?: string
}

/**
 * The one price of an order, shown and charged alike: list price x months, less the premium discount, less the coupon.
 * Each discount is rounded once and none brings the price below 0. Unknown or out-of-range values are refused (T74),
 * and so is an invalid coupon.
 */
export function priceOrderParts(request: OrderPriceRequest): OrderPrice | OrderRefusal | CouponRefusal {
  const listed = quote(request)
  if (!listed.ok) return listed
  const { months, subtotal } = listed
  const { currency } = request
  const premium = percentOf(subtotal, request.premiumPercent)
  const byMonth = spread(subtract(subtotal, premium), months)
  const used = takeCoupon(request, byMonth)
  if (!used.ok) return used
  const paidByMonth = used.byMonth
  const total = sum(paidByMonth, currency)
  const vat: VatSplit = splitVat(total, request.rateBasisPoints)
  const off = subtract(subtotal, total)
  const couponOff = subtract(off, premium)
  const parts: PricePart[] = listed.lines.map((line) => ({
    kind: 'resource',
    ...line,
    amount: times(line.pricePerMonth, BigInt(months)),
  }))
  if (premium.minor > 0n) {
    parts.push({ kind: 'premium-discount', percent: request.premiumPercent, amount: negate(premium) })
  }
  const base = { ...listed, discount: off, total, vat, paidByMonth }
  if (!used.coupon) return { ...base, parts }
  parts.push({ kind: 'coupon', code: used.coupon.code, amount: negate(couponOff) })
  return { ...base, parts, couponId: used.coupon.id }
}

const spread = (total: Money, months: number): Money[] =>
  allocate(
    total,
    Array.from({ length: months }, () => 1n),
  )

type Used = { readonly ok: true; readonly byMonth: readonly Money[]; readonly coupon?: Coupon }

function takeCoupon({ coupon: typed, currency }: OrderPriceRequest, byMonth: readonly Money[]): Used | CouponRefusal {
  if (!typed) return { ok: true, byMonth }
  const orderTotal = sum(byMonth, currency)
  const checked = checkCoupon(typed.found, { ...typed.context, orderTotal })
  if (!checked.ok) return checked
  const { coupon } = checked
  if (coupon.scope === 'order') {
    return {
      ok: true,
      coupon,
      byMonth: spread(subtract(orderTotal, couponDiscount(coupon, orderTotal)), byMonth.length),
    }
  }
  const [first = money(0n, currency), ...rest] = byMonth
  return { ok: true, coupon, byMonth: [subtract(first, couponDiscount(coupon, first)), ...rest] }
}
