import type { PremiumView } from '#contracts/http/premium.ts'
import { activeTier, PREMIUM_TIERS, premiumLosses, type OwnCounts } from '#domain/billing/premium.ts'
import type { MoneyContext } from '../ledger/money-context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readOffers, readPremium } from './premium-store.ts'

/** The tiers, the caller's own one, and the consequences of its end for the caller's servers. */
export async function viewPremium(
  { db, clock, ledgerOn }: MoneyContext,
  { userId }: { userId: string },
): Promise<PremiumView> {
  const [offers, premium, own] = [await readOffers(db), await readPremium(db, userId), await ownCounts(db, userId)]
  const tier = activeTier(premium, clock.now())
  const { available } = await ledgerOn(db).userBalance(userId, 'HUF')
  return {
    tier,
    expiresAt: premium && tier !== 'none' ? new Date(premium.expiresAtMs).toISOString() : null,
    balanceFt: Number(available.minor),
    offers: PREMIUM_TIERS.map((each) => {
      const { price, ...offer } = offers[each]
      return { tier: each, ...offer, priceFt: Number(price.minor) }
    }),
    losses: premiumLosses({ from: offers[tier], to: offers.none, own }).map(({ above, ...loss }) => ({
      ...loss,
      above: above.map(({ serverId, name, count, excess }) => ({ serverId, name, count, excess })),
    })),
  }
}

/** The caller's use of the limits of a tier. Backups will count once they exist. */
const ownCounts = (sql: Sql, userId: string): Promise<OwnCounts[]> =>
  sql.query<OwnCounts>(
    `select s.id as "serverId", s.name, 0 as backups,
       (select count(*) from control.server_users u
         where u.server_id = s.id and (u.ends_at is null or u.ends_at > clock_timestamp()))::int as "subUsers"
     from control.servers s where s.owner_id = $1 and s.deleted_at is null order by s.created_at, s.id`,
    [userId],
  )
