import { activeTier, PREMIUM_TIERS, type PremiumTier } from '#domain/billing/premium.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readOffers, readPremium } from './premium-store.ts'

export type SharingPlaces = {
  readonly tier: PremiumTier
  readonly limit: number
  /** The lowest tier with a higher limit; null for the highest. */
  readonly next: { readonly tier: PremiumTier; readonly limit: number } | null
}

/** How many people each server of a person has room for, by the tier that they have now. */
export async function sharingPlaces(
  sql: Sql,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<SharingPlaces> {
  const [offers, premium] = [await readOffers(sql), await readPremium(sql, userId)]
  const tier = activeTier(premium, nowMs)
  const limit = offers[tier].subUsers
  const next = PREMIUM_TIERS.find((each) => offers[each].subUsers > limit)
  return { tier, limit, next: next === undefined ? null : { tier: next, limit: offers[next].subUsers } }
}
