import * as z from 'zod'
import { PRIZE_TYPES } from '#domain/prizes/wheel.ts'
import { AmountFt, Id, Instant, SeenFt } from '../primitives.ts'

export const SPIN_SOURCES = ['reroll', 'weekly', 'granted', 'bought'] as const
const SeedHash = z.string().regex(/^[0-9a-f]{64}$/)

/**
 * A field of the wheel: `amount` is forints of money or percent of a coupon. The `basisPoints` of all fields add up to
 * 10,000.
 */
export const WheelField = z.object({
  id: z.string(),
  type: z.enum(PRIZE_TYPES),
  amount: z.int(),
  weight: z.int(),
  basisPoints: z.int(),
})
export type WheelField = z.infer<typeof WheelField>

/** A coupon that the caller won. */
export const WonCoupon = z.object({
  code: z.string(),
  percent: z.int(),
  /** Whether it is only for the first month of the wheel's package. */
  isServer: z.boolean(),
  validUntil: Instant,
  used: z.boolean(),
})
export type WonCoupon = z.infer<typeof WonCoupon>

/** The Spin record of specification section 3. */
export const SpinRecord = z.object({
  id: Id,
  type: z.enum(PRIZE_TYPES),
  amount: z.int(),
  date: Instant,
  source: z.enum(SPIN_SOURCES),
  couponCode: z.string().nullable(),
})
export type SpinRecord = z.infer<typeof SpinRecord>
export const SpinPage = z.object({ items: z.array(SpinRecord), next: z.string().nullable() })

/** `GET /api/spin`. `serverSeedHash` is the commitment to the next draw, null without a wheel. */
export const WheelView = z.object({
  isEnabled: z.boolean(),
  spinCount: z.int(),
  /** When the weekly spin is due; null if it is available. */
  nextFreeSpinAt: Instant.nullable(),
  rerolls: z.int(),
  granted: z.int(),
  bought: z.int(),
  fields: z.array(WheelField),
  /** The package of the prize "server", in the caller's language. */
  serverPackage: z.string().nullable(),
  serverSeedHash: SeedHash.nullable(),
  buying: z.object({ isOn: z.boolean(), priceFt: AmountFt, most: z.int() }),
  legalNote: z.string(),
  balanceFt: AmountFt,
  coupons: z.array(WonCoupon),
})
export type WheelView = z.infer<typeof WheelView>

/** `serverSeedHash` is the commitment that the caller saw: a draw with another one is refused with CONFLICT. */
export const SpinRequest = z.object({ clientSeed: z.string().min(1).max(64), serverSeedHash: SeedHash })
export type SpinRequest = z.infer<typeof SpinRequest>

/** Everything needed to verify a draw, as described in `#domain/billing/wheel-draw.ts`. */
export const SpinProof = SpinRecord.extend({
  prizeId: z.string(),
  prizes: z.array(WheelField.omit({ basisPoints: true })),
  ticket: z.int(),
  serverSeed: z.string(),
  serverSeedHash: SeedHash,
  clientSeed: z.string(),
  nonce: z.int(),
})
export type SpinProof = z.infer<typeof SpinProof>
export const SpinAnswer = z.object({ spin: SpinProof, wheel: WheelView })
export type SpinAnswer = z.infer<typeof SpinAnswer>

/** A JSON number; anything but a whole number from 1 to 100 is 'Invalid spin count!'. */
export const SpinPurchase = z.object({ count: z.number(), expectedPriceFt: SeenFt.optional() })
export type SpinPurchase = z.infer<typeof SpinPurchase>
export const SpinCouponRequest = z.object({ code: z.string().trim().max(64) })
export type SpinCouponRequest = z.infer<typeof SpinCouponRequest>
export const SpinPath = z.object({ id: Id })
