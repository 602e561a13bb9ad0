import type { Balance } from '#contracts/http/balance.ts'
import { activeTier } from '#domain/billing/premium.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readOffers, readPremium } from '../premium/premium-store.ts'

type Row = { id: string; name: string; identifier: string; monthly_price_ft: number; expires_at: Date }

/** The servers of a customer that cost something each month: no test servers, none that is to be deleted or still being ordered. */
export async function readRenewing(sql: Sql, userId: string): Promise<NonNullable<Balance['renewing']>> {
  const rows = await sql.query<Row>(
    `select id, name, identifier, monthly_price_ft, expires_at from control_api.servers
     where owner_id = $1 and renews order by expires_at, id`,
    [userId],
  )
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    identifier: row.identifier,
    monthlyPriceFt: row.monthly_price_ft,
    expiry: row.expires_at.toISOString(),
  }))
}

/** What premium takes off renewals now, and until when. */
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
