import type { SharingRoom } from '#contracts/http/collaborators.ts'
import { activeTier, PREMIUM_TIERS, type PremiumTier } from '#domain/billing/premium.ts'
import type { Seats } from '#domain/servers/shares.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readOffers, readPremium } from '../../money/premium/premium-store.ts'
import { readShares } from './share-store.ts'

export type ServerSeats = Seats & { readonly tier: PremiumTier; readonly next: SharingRoom['next'] }

/**
 * The places of a server: as many as its owner's tier has now, whoever invites. A lower tier removes nobody; it only
 * leaves no place for one more.
 */
export async function readSeats(
  sql: Sql,
  { serverId, ownerId, nowMs }: { serverId: string; ownerId: string; nowMs: number },
): Promise<ServerSeats> {
  const [offers, premium] = [await readOffers(sql), await readPremium(sql, ownerId)]
  const people = await readShares(sql, serverId, nowMs)
  const tier = activeTier(premium, nowMs)
  const limit = offers[tier].subUsers
  const next = PREMIUM_TIERS.find((each) => offers[each].subUsers > limit)
  const shares = people.filter(({ state }) => state === 'active').length
  return {
    limit,
    shares,
    invitations: people.length - shares,
    tier,
    next: next === undefined ? null : { tier: next, limit: offers[next].subUsers },
  }
}
