import { isPercent, percentOf } from './discount.ts'
import { forints, isLess, type Money } from './money.ts'
import { BILLING_MONTH_MS } from './period.ts'

export const COUPON_TYPES = ['percentage', 'forint'] as const
export const COUPON_USAGES = ['once', 'multiple'] as const
/** The part of an order that a coupon reduces: all months, or only the first one (prizes of the wheel). */
export const COUPON_SCOPES = ['order', 'first-month'] as const

/** A coupon of specification section 3. Times in epoch milliseconds; undefined means no limit. */
export type Coupon = {
  readonly id: string
  readonly code: string
  readonly type: (typeof COUPON_TYPES)[number]
  /** Whole percent from 1 to 100, or whole forints of at least 1. */
  readonly amount: number
  readonly isActive: boolean
  /** Inclusive. */
  readonly validFromMs?: number | undefined
  /** Exclusive, like an expiry. */
  readonly validToMs?: number | undefined
  readonly expiresAtMs?: number | undefined
  /** `maximum price`: valid only for orders up to this total. */
  readonly maxOrderTotal?: Money | undefined
  readonly maxUses?: number | undefined
  /** `once` is one use per customer, `multiple` any number until `maxUses`. */
  readonly usage: (typeof COUPON_USAGES)[number]
  /** Undefined means every service. */
  readonly serviceIds?: readonly string[] | undefined
  /** The one package of a won server. */
  readonly packageId?: string | undefined
  readonly scope: (typeof COUPON_SCOPES)[number]
  /** The only customer who may use it; for everybody else it does not exist. */
  readonly ownerId?: string | undefined
}

/** Every reason for refusing a coupon, in the order in which they are checked. */
export const COUPON_REFUSALS = [
  'COUPONS_DISABLED',
  'COUPON_INVALID',
  'COUPON_NOT_FOUND',
  'COUPON_INACTIVE',
  'COUPON_NOT_YET_VALID',
  'COUPON_EXPIRED',
  'COUPON_USED_UP',
  'COUPON_ALREADY_USED',
  'COUPON_NOT_FOR_SERVICE',
  'COUPON_TOTAL_TOO_HIGH',
] as const
export type CouponRefusalCode = (typeof COUPON_REFUSALS)[number]
export type CouponRefusal = { readonly ok: false; readonly code: CouponRefusalCode }
const refused = (code: CouponRefusalCode): CouponRefusal => ({ ok: false, code })

const CODE = /^[A-Z0-9](?:[A-Z0-9_-]{1,30}[A-Z0-9])$/

/**
 * Normalises a typed code: letters in any case and width, spaces dropped. Returns 3 to 32 of A-Z, 0-9, hyphen and
 * underscore, or undefined for an invalid code ('Invalid coupon code...').
 */
export function normaliseCode(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 200) return undefined
  const code = value.normalize('NFKC').replaceAll(/\s/g, '').toUpperCase()
  return CODE.test(code) ? code : undefined
}

export type CouponContext = {
  /** The switch 'coupon use'. */
  readonly areCouponsEnabled: boolean
  readonly userId: string
  readonly serviceId: string
  readonly packageId?: string | undefined
  readonly nowMs: number
  /** Uses and open reservations: in total, and by this customer. */
  readonly usedCount: number
  readonly usedByCustomer: number
  /** The price of the order without the coupon, after the premium discount. */
  readonly orderTotal: Money
}

/** Whether a coupon may be used for an order. Returns the first reason in `COUPON_REFUSALS` that applies. */
export function checkCoupon(
  coupon: Coupon | undefined,
  context: CouponContext,
): { readonly ok: true; readonly coupon: Coupon } | CouponRefusal {
  if (!context.areCouponsEnabled) return refused('COUPONS_DISABLED')
  if (!coupon || (coupon.ownerId !== undefined && coupon.ownerId !== context.userId)) return refused('COUPON_NOT_FOUND')
  const code = validityFault(coupon, context) ?? usageFault(coupon, context) ?? orderFault(coupon, context)
  return code === undefined ? { ok: true, coupon } : refused(code)
}

function validityFault(coupon: Coupon, { nowMs }: CouponContext): CouponRefusalCode | undefined {
  const { validFromMs = -Infinity, validToMs = Infinity, expiresAtMs = Infinity } = coupon
  if (!coupon.isActive) return 'COUPON_INACTIVE'
  if (nowMs < validFromMs) return 'COUPON_NOT_YET_VALID'
  return nowMs >= Math.min(validToMs, expiresAtMs) ? 'COUPON_EXPIRED' : undefined
}

function usageFault(
  { maxUses = Infinity, usage }: Coupon,
  { usedCount, usedByCustomer }: CouponContext,
): CouponRefusalCode | undefined {
  if (usage === 'once' && usedByCustomer > 0) return 'COUPON_ALREADY_USED'
  return usedCount >= maxUses ? 'COUPON_USED_UP' : undefined
}

function orderFault(
  coupon: Coupon,
  { serviceId, packageId, orderTotal }: CouponContext,
): CouponRefusalCode | undefined {
  const { serviceIds, maxOrderTotal } = coupon
  if (serviceIds && !serviceIds.includes(serviceId)) return 'COUPON_NOT_FOR_SERVICE'
  if (coupon.packageId !== undefined && coupon.packageId !== packageId) return 'COUPON_NOT_FOR_SERVICE'
  return maxOrderTotal && isLess(maxOrderTotal, orderTotal) ? 'COUPON_TOTAL_TOO_HIGH' : undefined
}

/** The discount of a coupon: never more than the amount, so that no order costs less than nothing (T25). */
export function couponDiscount({ type, amount }: Pick<Coupon, 'type' | 'amount'>, from: Money): Money {
  if (from.minor <= 0n) return forints(0n)
  if (type === 'percentage') return percentOf(from, amount)
  const off = forints(BigInt(amount))
  return isLess(from, off) ? from : off
}

export type CouponPrize = {
  readonly id: string
  readonly code: string
  readonly userId: string
  readonly drawnAtMs: number
}

const prize = ({ id, code, userId, drawnAtMs }: CouponPrize) =>
  ({
    id,
    code,
    ownerId: userId,
    isActive: true,
    validFromMs: drawnAtMs,
    validToMs: drawnAtMs + BILLING_MONTH_MS,
    maxUses: 1,
    usage: 'once',
    scope: 'first-month',
  }) as const

/**
 * A coupon from the wheel: personal, valid for a month from the draw, for the first month of any service (specification
 * section 9).
 */
export function couponPrize(won: CouponPrize & { readonly percent: number }): Coupon {
  if (!isPercent(won.percent) || won.percent === 0) throw new RangeError('a prize is 1 to 100 whole percent')
  return { ...prize(won), type: 'percentage', amount: won.percent }
}

/** A server from the wheel: the first month of the package in the wheel's settings is free. */
export function serverPrize(won: CouponPrize & { readonly packageId: string }): Coupon {
  return { ...prize(won), type: 'percentage', amount: 100, packageId: won.packageId }
}
