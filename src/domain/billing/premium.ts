import type { Coupon } from './coupon.ts'
import { divideRounded, isLess, money, subtract, type Money } from './money.ts'
import type { PaidSpan } from './paid-time.ts'
import { DAY_MS } from './period.ts'

/** From least to most. `none` is the tier of everybody without one, or whose tier has expired. */
export const PREMIUM_TIERS = ['none', 'essentials', 'maximus', 'ultimus'] as const
/** The names of the tiers, the same in every language. */
export const TIER_NAMES = { none: '', essentials: 'Essentials', maximus: 'Maximus', ultimus: 'Ultimus' } as const

export type PremiumTier = (typeof PREMIUM_TIERS)[number]

/** What a tier is called on everything that is written about it, in every language. */
export const premiumName = (tier: PremiumTier): string => `Premium ${TIER_NAMES[tier]}`

export type PremiumBenefits = {
  readonly backupSlots: number
  readonly subUsers: number
  /** Free spins at the purchase and each 30 days. */
  readonly spins: number
  readonly discountPercent: number
}

export type PremiumOffer = PremiumBenefits & { readonly price: Money; readonly days: number }
export type PremiumOffers = Readonly<Record<PremiumTier, PremiumOffer>>

/** The figures of specification section 6, and what clarifications part 4 gives everybody. Prices are the CMS's. */
export const SPECIFIED_BENEFITS: Readonly<Record<PremiumTier, PremiumBenefits>> = Object.freeze({
  none: { backupSlots: 3, subUsers: 2, spins: 0, discountPercent: 0 },
  essentials: { backupSlots: 7, subUsers: 4, spins: 1, discountPercent: 5 },
  maximus: { backupSlots: 10, subUsers: 8, spins: 2, discountPercent: 10 },
  ultimus: { backupSlots: 15, subUsers: 12, spins: 4, discountPercent: 15 },
})
/** How long a tier lasts, and how often its free spins come. */
export const PREMIUM_DAYS = 30
const SPIN_CYCLE_MS = PREMIUM_DAYS * DAY_MS

/** What somebody bought; times in milliseconds since 1970. */
export type Premium = {
  /** Of the purchase. */
  readonly id: string
  readonly tier: PremiumTier
  readonly startedAtMs: number
  readonly expiresAtMs: number
}

/** The tier that holds now. */
export function activeTier(premium: Pick<Premium, 'tier' | 'expiresAtMs'> | undefined, nowMs: number): PremiumTier {
  return premium && nowMs < premium.expiresAtMs ? premium.tier : 'none'
}

/** Every reason for which a purchase is refused, in the order in which they are checked. */
export const PREMIUM_REFUSALS = ['TIER_UNKNOWN', 'ALREADY_HAS_PREMIUM', 'INSUFFICIENT_BALANCE'] as const
export type PremiumRefusal = {
  readonly ok: false
  readonly code: (typeof PREMIUM_REFUSALS)[number]
  /** For INSUFFICIENT_BALANCE: what the balance lacks. */
  readonly missing?: Money
}

export type PremiumPurchase = {
  readonly ok: true
  readonly premium: Premium
  readonly charge: Money
  /** The basis of a withdrawal. */
  readonly span: PaidSpan
}

/** Decides on the purchase of a tier. Who has one keeps it until it expires ('already has premium'); the discount is not for itself. */
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

/** A sale that was cheaper by a tier: what the tier took off, what was paid then, and what of that was given back since. */
export type DiscountedSale = {
  readonly discount: Money
  readonly paid: Money
  readonly returned: Money
  /** Whether its time is still held; of a sale that cost nothing only this tells whether it was withdrawn from. */
  readonly isHeld: boolean
}

/** What of a discount the customer still has: as much as stands of the sale, so nothing of one that was given back whole. Rounded once. */
export function standingDiscount({ discount, paid, returned, isHeld }: DiscountedSale): Money {
  if (paid.minor === 0n) return isHeld ? discount : money(0n, discount.currency)
  const numerator = discount.minor * subtract(paid, returned).minor
  return money(divideRounded(numerator, paid.minor), discount.currency)
}

/** The coupon of an order: one that the prize wheel gave, or one of staff with its type, undefined where it is not there any more. */
export type OrderCoupon =
  { readonly from: 'wheel' } | { readonly from: 'staff'; readonly type: Coupon['type'] | undefined }

/** Coupons of the wheel are of percents. One that is gone counts as one: what it was is not known, and less is kept so. */
const isOfPercents = (coupon: OrderCoupon): boolean => coupon.from === 'wheel' || coupon.type !== 'forint'

/**
 * What a tier took off an order in the end. A coupon of so many percent takes the same share of the discount as of the price; one of so
 * many forints leaves it whole. `listed` is the price before any discount.
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
  /** Unique for ever: each grant is given once, whatever the clock does. */
  readonly key: string
  readonly spins: number
}

/** The grants of free spins that are due by now: one at the purchase and one each 30 days as long as the tier holds. */
export function dueSpinGrants(premium: Premium, spins: number, nowMs: number): SpinGrant[] {
  if (spins <= 0) return []
  const grants: SpinGrant[] = []
  const untilMs = Math.min(nowMs, premium.expiresAtMs - 1)
  for (let atMs = premium.startedAtMs; atMs <= untilMs; atMs += SPIN_CYCLE_MS) {
    grants.push({ key: `premium-spins:${premium.id}:${grants.length}`, spins })
  }
  return grants
}

/** What a customer has of what a tier limits: for each server its backups and sub-users. */
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
  /** The customer's own servers that are above the new limit, and by how much; nothing of theirs is deleted. */
  readonly above: readonly {
    readonly serverId: string
    readonly name: string
    readonly count: number
    readonly excess: number
  }[]
}

const COUNT_OF = { backupSlots: 'backups', subUsers: 'subUsers' } as const

/**
 * What a customer loses when a tier ends or becomes a lower one, with their own counts: only what gets less is listed. What is above a
 * new limit stays and can be used; new ones are refused until there is room again.
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
