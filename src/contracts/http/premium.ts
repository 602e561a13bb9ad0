import * as z from 'zod'
import { PREMIUM_TIERS } from '#domain/billing/premium.ts'
import { AmountFt, Id, Instant, SeenFt } from '../primitives.ts'

export const PremiumOffer = z.object({
  tier: z.enum(PREMIUM_TIERS),
  backupSlots: z.int(),
  subUsers: z.int(),
  /** Free spins at the purchase and every 30 days. */
  spins: z.int(),
  discountPercent: z.int(),
  priceFt: AmountFt,
  days: z.int(),
})
export type PremiumOffer = z.infer<typeof PremiumOffer>

/** A benefit that shrinks when the tier ends, and the caller's servers above the new limit. */
export const PremiumLoss = z.object({
  benefit: z.enum(['backupSlots', 'subUsers', 'spins', 'discountPercent']),
  from: z.int(),
  to: z.int(),
  above: z.array(z.object({ serverId: Id, name: z.string(), count: z.int(), excess: z.int() })),
})
export type PremiumLoss = z.infer<typeof PremiumLoss>

/** `GET /api/premium`. The offers begin with `none`, which everybody has. */
export const PremiumView = z.object({
  tier: z.enum(PREMIUM_TIERS),
  expiresAt: Instant.nullable(),
  balanceFt: AmountFt,
  offers: z.array(PremiumOffer),
  losses: z.array(PremiumLoss),
})
export type PremiumView = z.infer<typeof PremiumView>

/** `expectedPriceFt` is the price that was shown; another one is refused with PRICE_CHANGED. */
export const PremiumRequest = z.object({
  tier: z.enum(['essentials', 'maximus', 'ultimus']),
  expectedPriceFt: SeenFt.optional(),
})
export type PremiumRequest = z.infer<typeof PremiumRequest>

export const PremiumAnswer = z.object({ tier: z.enum(PREMIUM_TIERS), expiresAt: Instant })
export type PremiumAnswer = z.infer<typeof PremiumAnswer>
