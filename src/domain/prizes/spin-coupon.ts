import type { CouponRefusal, CouponRefusalCode } from '../billing/coupon.ts'

/** A code that grants spins (specification section 3): each customer uses it once, until its uses are exhausted. */
export type SpinCoupon = {
  readonly id: string
  readonly code: string
  readonly maxUses: number
  /** Spins per use. */
  readonly spins: number
  readonly isActive: boolean
  readonly expiresAtMs?: number | undefined
}

export type SpinCouponUse = {
  readonly areCouponsEnabled: boolean
  readonly nowMs: number
  readonly usedCount: number
  readonly usedByCustomer: number
}

const refused = (code: CouponRefusalCode): CouponRefusal => ({ ok: false, code })

/**
 * Whether a customer may redeem a spin coupon, and how many spins it grants. Undefined is 'The coupon does not exist!'.
 */
export function redeemSpinCoupon(
  coupon: SpinCoupon | undefined,
  use: SpinCouponUse,
): { readonly ok: true; readonly spins: number } | CouponRefusal {
  if (!use.areCouponsEnabled) return refused('COUPONS_DISABLED')
  if (!coupon) return refused('COUPON_NOT_FOUND')
  if (!coupon.isActive) return refused('COUPON_INACTIVE')
  if (use.nowMs >= (coupon.expiresAtMs ?? Infinity)) return refused('COUPON_EXPIRED')
  if (use.usedByCustomer > 0) return refused('COUPON_ALREADY_USED')
  return use.usedCount >= coupon.maxUses ? refused('COUPON_USED_UP') : { ok: true, spins: coupon.spins }
}
