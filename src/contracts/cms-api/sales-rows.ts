import * as z from 'zod'
import { COUPON_TYPES, COUPON_USAGES } from '#domain/billing/coupon.ts'
import { PREMIUM_TIERS } from '#domain/billing/premium.ts'
import { PRIZE_TYPES } from '#domain/prizes/wheel.ts'
import { LocalizedText } from '../locale.ts'
import { AmountFt, Id } from '../primitives.ts'

/** Rows of the views in schema `cms_api` about coupons, premium and the prize wheel. Keys are the columns of the view. */

/** `cms_api.coupons`. No service means every service. */
export const CouponRow = z.object({
  id: Id,
  name: z.string(),
  code: z.string(),
  type: z.enum(COUPON_TYPES),
  amount: z.int().positive(),
  valid_from: z.date().nullable(),
  valid_to: z.date().nullable(),
  expires_at: z.date().nullable(),
  maximum_price_ft: AmountFt.nullable(),
  maximum_usage: z.int().nullable(),
  usage: z.enum(COUPON_USAGES),
  service_ids: z.array(Id),
  active: z.boolean(),
})
export type CouponRow = z.infer<typeof CouponRow>

/** `cms_api.spin_coupons`. */
export const SpinCouponRow = z.object({
  id: Id,
  code: z.string(),
  number_of_uses: z.int().positive(),
  spins: z.int().positive(),
  expires_at: z.date().nullable(),
  active: z.boolean(),
})
export type SpinCouponRow = z.infer<typeof SpinCouponRow>

/** `cms_api.premium_tiers`: always one row for each tier, `none` included. */
export const PremiumTierRow = z.object({
  tier: z.enum(PREMIUM_TIERS),
  position: z.int(),
  backup_slots: z.int(),
  sub_users: z.int(),
  free_spins: z.int(),
  discount_percent: z.int().min(0).max(100),
  price_ft: AmountFt,
  days: z.int().positive(),
})
export type PremiumTierRow = z.infer<typeof PremiumTierRow>

/**
 * A prize: `amount` is forints of money or percent of a coupon, 0 otherwise. Its probability is its weight among all
 * weights.
 */
export const WheelPrizeRow = z.object({
  id: z.string().min(1),
  type: z.enum(PRIZE_TYPES),
  amount: z.int().min(0),
  weight: z.int().positive(),
})
export type WheelPrizeRow = z.infer<typeof WheelPrizeRow>

/** `cms_api.prize_wheel`: always exactly one row; no prizes means that there is no wheel. */
export const PrizeWheelRow = z.object({
  prizes: z.array(WheelPrizeRow),
  server_package_id: Id.nullable(),
  buying: z.boolean(),
  spin_price_ft: AmountFt.positive(),
  blocked_countries: z.array(z.string()),
  legal_note: LocalizedText.nullable(),
})
export type PrizeWheelRow = z.infer<typeof PrizeWheelRow>
