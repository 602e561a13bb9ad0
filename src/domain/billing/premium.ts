import type { Coupon } from './coupon.ts'
import { divideRounded, isLess, money, subtract, type Money } from './money.ts'
import type { PaidSpan } from './paid-time.ts'
import { DAY_MS } from './period.ts'

/** Lowest to highest. `none` is the tier of everybody without one, or with an expired one. */
export const PREMIUM_TIERS = ['none', 'essentials', 'maximus', 'ultimus'] as const
/** The names of the tiers, the same in every language. */
export const TIER_NAMES = { none: '', essentials: 'Essentials', maximus: 'Maximus', ultimus: 'Ultimus' } as const

export type PremiumTier = (typeof PREMIUM_TIERS)[number]

/** A tier's name in all texts, in every language. */
export const premiumName = (tier: PremiumTier): string => `Premium ${TIER_NAMES[tier]}`

export type PremiumBenefits = {
  readonly backupSlots: number
  readonly subUsers: number
  /** Free spins at the purchase and every 30 days. */
  readonly spins: number
  readonly discountPercent: number
}

export type PremiumOffer = PremiumBenefits & { readonly price: Money; readonly days: number }
export type PremiumOffers = Readonly<Record<PremiumTier, PremiumOffer>>

/** The figures of specification section 6, and everybody's benefits of clarifications part 4. Prices are in the CMS. */
export const SPECIFIED_BENEFITS: Readonly<Record<PremiumTier, PremiumBenefits>> = Object.freeze({
  none: { backupSlots: 3, subUsers: 2, spins: 0, discountPercent: 0 },
  essentials: { backupSlots: 7, subUsers: 4, spins: 1, discountPercent: 5 },
  maximus: { backupSlots: 10, subUsers: 8, spins: 2, discountPercent: 10 },
  ultimus: { backupSlots: 15, subUsers: 12, spins: 4, discountPercent: 15 },
})
/** How long a tier lasts, and the interval of its free spins. */
export const PREMIUM_DAYS = 30
const SPIN_CYCLE_MS = PREMIUM_DAYS * DAY_MS

/** A purchased tier; times in epoch milliseconds. */
export type Premium = {
  /** The purchase's id. */
  readonly id: string
  readonly tier: PremiumTier
  readonly startedAtMs: number
  readonly expiresAtMs: number
}

/** The current tier. */
export function activeTier(premium: Pick<Premium, 'tier' | 'expiresAtMs'> | undefined, nowMs: number): PremiumTier {
  return premium && nowMs < premium.expiresAtMs ? premium.tier : 'none'
}

/** Every reason for refusing a purchase, in the order in which they are checked. */
export const PREMIUM_REFUSALS = ['TIER_UNKNOWN', 'ALREADY_HAS_PREMIUM', 'INSUFFICIENT_BALANCE'] as const
export type PremiumRefusal = {
  readonly ok: false
  readonly code: (typeof PREMIUM_REFUSALS)[number]
  /** For INSUFFICIENT_BALANCE: the shortfall. */
  readonly missing?: Money
}

export type PremiumPurchase = {
  readonly ok: true
  readonly premium: Premium
  readonly charge: Money
  /** The basis of a withdrawal. */
  readonly span: PaidSpan
}

/**
 * Decides on the purchase of a tier. An existing tier stays until it expires ('already has premium'); its discount does
 * not apply to tiers.
 */
export function buyPremium(request: {
  readonly purchaseId: string
  readonly tier: unknown
  readonly offers: PremiumOffers
  readonly current: Premium | undefined
  readonly nowMs: number
  readonly available: Money
}): PremiumPurchase | PremiumRefusal {
  const { nowMs, available } = request
  const tier = PREMIUM_TIERS.find((each) => each === request.tier)
  if (tier === undefined || tier === 'none') return { ok: false, code: 'TIER_UNKNOWN' }
  if (activeTier(request.current, nowMs) !== 'none') return { ok: false, code: 'ALREADY_HAS_PREMIUM' }
  const { price, days } = request.offers[tier]
  if (isLess(available, price)) return { ok: false, code: 'INSUFFICIENT_BALANCE', missing: subtract(price, available) }
  const expiresAtMs = nowMs + days * DAY_MS
  const zero = money(0n, price.currency)
  const span = {
    startMs: nowMs,
    endMs: expiresAtMs,
    fromMonthly: zero,
    toMonthly: price,
    heldMonthly: price,
    paid: price,
    returned: zero,
  }
  return { ok: true, premium: { id: request.purchaseId, tier, startedAtMs: nowMs, expiresAtMs }, charge: price, span }
}

/** A sale with a tier's discount: the discount, the payment, and its refunds since. */
export type DiscountedSale = {
  readonly discount: Money
  readonly paid: Money
  readonly returned: Money
  /** Whether its time is still held; for a free sale only this shows whether it was withdrawn from. */
  readonly isHeld: boolean
}

/**
 * The part of a discount that the customer still has: in proportion to the unrefunded part of the sale, so nothing
 * after a full refund. Rounded once.
 */
export function standingDiscount({ discount, paid, returned, isHeld }: DiscountedSale): Money {
  if (paid.minor === 0n) return isHeld ? discount : money(0n, discount.currency)
  const numerator = discount.minor * subtract(paid, returned).minor
  return money(divideRounded(numerator, paid.minor), discount.currency)
}

/**
 * The coupon of an order: one from the prize wheel, or one of staff with its type, undefined if it no longer exists.
 */
export type OrderCoupon =
  { readonly from: 'wheel' } | { readonly from: 'staff'; readonly type: Coupon['type'] | undefined }

/** The wheel's coupons are percentages. A deleted one counts as one too: its type is unknown, and this keeps less. */
const isOfPercents = (coupon: OrderCoupon): boolean => coupon.from === 'wheel' || coupon.type !== 'forint'

/**
 * The final discount of a tier on an order. A percentage coupon takes the same share of the discount as of the price; a
 * fixed amount leaves it whole. `listed` is the price before any discount.
 */
export function discountAfterCoupon(order: {
  readonly listed: Money
  readonly discount: Money
  readonly total: Money
  readonly coupon: OrderCoupon | undefined
}): Money {
  const { listed, discount, total, coupon } = order
  const before = subtract(listed, discount)
  if (!coupon || !isOfPercents(coupon) || before.minor <= 0n) return discount
  return money(divideRounded(discount.minor * total.minor, before.minor), discount.currency)
}

export type SpinGrant = {
  /** Unique for ever: each grant is made once, whatever the clock does. */
  readonly key: string
  readonly spins: number
}

/** The due grants of free spins: one at the purchase and one every 30 days while the tier is active. */
export function dueSpinGrants(premium: Premium, spins: number, nowMs: number): SpinGrant[] {
  if (spins <= 0) return []
  const grants: SpinGrant[] = []
  const untilMs = Math.min(nowMs, premium.expiresAtMs - 1)
  for (let atMs = premium.startedAtMs; atMs <= untilMs; atMs += SPIN_CYCLE_MS) {
    grants.push({ key: `premium-spins:${premium.id}:${grants.length}`, spins })
  }
  return grants
}

/** A customer's use of a tier's limits: the backups and sub-users of each server. */
export type OwnCounts = {
  readonly serverId: string
  readonly name: string
  readonly backups: number
  readonly subUsers: number
}

export type PremiumLoss = {
  readonly benefit: keyof PremiumBenefits
  readonly from: number
  readonly to: number
  /** The customer's servers above the new limit, and by how much; nothing of theirs is deleted. */
  readonly above: readonly {
    readonly serverId: string
    readonly name: string
    readonly count: number
    readonly excess: number
  }[]
}

const COUNT_OF = { backupSlots: 'backups', subUsers: 'subUsers' } as const

/**
 * The customer's losses when a tier ends or is lowered, with their own counts: only shrinking benefits are listed.
 * Items above a new limit stay usable; new ones are refused until there is room again.
 */
export function premiumLosses(change: {
  readonly from: PremiumBenefits
  readonly to: PremiumBenefits
  readonly own: readonly OwnCounts[]
}): PremiumLoss[] {
  const benefits = ['backupSlots', 'subUsers', 'spins', 'discountPercent'] as const
  return benefits.flatMap((benefit) => {
    const [from, to] = [change.from[benefit], change.to[benefit]]
    if (to >= from) return []
    const above =
      benefit === 'backupSlots' || benefit === 'subUsers' ? aboveLimit(change.own, COUNT_OF[benefit], to) : []
    return [{ benefit, from, to, above }]
  })
}

function aboveLimit(own: readonly OwnCounts[], counted: 'backups' | 'subUsers', limit: number): PremiumLoss['above'] {
  return own.flatMap(({ serverId, name, [counted]: count }) =>
    count > limit ? [{ serverId, name, count, excess: count - limit }] : [],
  )
}
