import type { Balance } from '#contracts/http/balance.ts'
import { activeTier } from '#domain/billing/premium.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readOffers, readPremium } from '../premium/premium-store.ts'

type Row = { id: string; name: string; identifier: string; renewal_price_ft: number; expires_at: Date }

/** A customer's servers with a monthly price; without test servers and servers that are being deleted or ordered. */
export async function readRenewing(sql: Sql, userId: string): Promise<NonNullable<Balance['renewing']>> {
  const rows = await sql.query<Row>(
    `select id, name, identifier, renewal_price_ft, expires_at from control_api.servers
     where owner_id = $1 and renews order by expires_at, id`,
    [userId],
  )
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    identifier: row.identifier,
    monthlyPriceFt: row.renewal_price_ft,
    expiry: row.expires_at.toISOString(),
  }))
}

/** The current premium discount on renewals, and its end. */
export async function readRenewalDiscount(
  sql: Sql,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<Balance['renewalDiscount']> {
  const [premium, offers] = [await readPremium(sql, userId), await readOffers(sql)]
  const tier = activeTier(premium, nowMs)
  const percent = offers[tier].discountPercent
  if (percent === 0) return null
  return { percent, until: premium && tier !== 'none' ? new Date(premium.expiresAtMs).toISOString() : null }
}
