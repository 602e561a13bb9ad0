import type { PremiumTierRow } from '#contracts/cms-api/sales-rows.ts'
import { forints } from '#domain/billing/money.ts'
import {
  activeTier,
  type Premium,
  type PremiumBenefits,
  type PremiumOffers,
  type PremiumTier,
} from '#domain/billing/premium.ts'
import type { Database, Sql } from '#platform/postgres/database.ts'
import { lockInOrder } from '../ledger/lock-order.ts'
import { readPremiumTiers } from '../../cms/sales-reader.ts'

/** A purchase with its free spins. */
export type PremiumPurchase = Premium & { readonly spins: number }

export type PurchaseRow = {
  id: string
  user_id: string
  tier: PremiumTier
  spins: number
  started_at: Date
  expires_at: Date
  request_id: string
}

export const PURCHASE_COLUMNS = 'id, user_id, tier, spins, started_at, expires_at, request_id'

export const purchaseOf = (row: PurchaseRow): PremiumPurchase => ({
  id: row.id,
  tier: row.tier,
  spins: row.spins,
  startedAtMs: row.started_at.getTime(),
  expiresAtMs: row.expires_at.getTime(),
})

/** A person's newest purchase. A withdrawn one never counts, not even for earlier dates. */
export async function readPremium(sql: Sql, userId: string): Promise<PremiumPurchase | undefined> {
  const [row] = await sql.query<PurchaseRow>(
    `select ${PURCHASE_COLUMNS} from control.premium_purchases where user_id = $1 and ended_at is null
     order by started_at desc, id desc limit 1`,
    [userId],
  )
  return row && purchaseOf(row)
}

/** Converts a tier's benefits to the domain's type. */
const benefitsOf = (row: PremiumTierRow): PremiumBenefits => ({
  backupSlots: row.backup_slots,
  subUsers: row.sub_users,
  spins: row.free_spins,
  discountPercent: row.discount_percent,
})

/** Every tier with its price. */
export async function readOffers(sql: Sql): Promise<PremiumOffers> {
  const rows = await readPremiumTiers(sql)
  const offer = (tier: PremiumTier) => {
    const row = rows.find((each) => each.tier === tier)
    if (!row) throw new Error(`cms_api.premium_tiers has no tier ${tier}`)
    return { ...benefitsOf(row), price: forints(BigInt(row.price_ft)), days: row.days }
  }
  return { none: offer('none'), essentials: offer('essentials'), maximus: offer('maximus'), ultimus: offer('ultimus') }
}

/**
 * The current discount of a person's tier on orders, renewals and resizes; 0 without a tier. In a selling transaction
 * it blocks a withdrawal from the tier, which then sees the sale.
 */
export async function premiumPercentOf(
  sql: Sql | Database,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<number> {
  const isQuote = 'transaction' in sql
  // In a transaction they run one after the other: what is read is what stands behind the lock.
  const [, premium, offers] = await Promise.all([
    isQuote ? undefined : lockInOrder(sql, { premium: { userId, as: 'shared' } }),
    readPremium(sql, userId),
    readOffers(sql),
  ])
  return offers[activeTier(premium, nowMs)].discountPercent
}
