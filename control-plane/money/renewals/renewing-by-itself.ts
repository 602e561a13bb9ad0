import { forints } from '#domain/billing/money.ts'
import type { RenewingServer } from '#domain/billing/runway.ts'
import type { Sql } from '#platform/postgres/database.ts'

type Row = { id: string; renewal_price_ft: bigint; expires_at: Date }

/** Servers with automatic renewal; without test servers and servers that are being deleted or ordered. */
export async function readRenewingByItself(sql: Sql, ownerId: string): Promise<RenewingServer[]> {
  const rows = await sql.query<Row>(
    `select s.id, coalesce(s.planned_price_ft, s.monthly_price_ft) as renewal_price_ft, s.expires_at from control.servers s
     where s.owner_id = $1 and s.auto_renew and s.desired = 'installed' and s.deleted_at is null and not s.is_test
       and not exists (select from control.orders o where o.server_id = s.id and o.state = 'provisioning')
     order by s.expires_at, s.id`,
    [ownerId],
  )
  return rows.map((row) => ({
    id: row.id,
    monthly: forints(row.renewal_price_ft),
    expiresAtMs: row.expires_at.getTime(),
  }))
}
