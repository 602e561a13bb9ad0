import { CouponRow, PremiumTierRow, PrizeWheelRow, SpinCouponRow } from '#contracts/cms-api/sales-rows.ts'
import type { Sql } from '#platform/postgres/database.ts'

/** The coupon of a normalised code. */
export async function readCoupon(sql: Sql, code: string): Promise<CouponRow | undefined> {
  const [row] = await sql.query('select * from cms_api.coupons where code = $1', [code])
  return row && CouponRow.parse(row)
}

/** The spin coupon of a normalised code. */
export async function readSpinCoupon(sql: Sql, code: string): Promise<SpinCouponRow | undefined> {
  const [row] = await sql.query('select * from cms_api.spin_coupons where code = $1', [code])
  return row && SpinCouponRow.parse(row)
}

/** Every tier, `none` first. */
export async function readPremiumTiers(sql: Sql): Promise<PremiumTierRow[]> {
  const rows = await sql.query('select * from cms_api.premium_tiers order by position')
  return rows.map((row) => PremiumTierRow.parse(row))
}

/** The settings of the prize wheel. */
export async function readPrizeWheel(sql: Sql): Promise<PrizeWheelRow> {
  const [row] = await sql.query('select * from cms_api.prize_wheel')
  if (!row) throw new Error('cms_api.prize_wheel has no row')
  return PrizeWheelRow.parse(row)
}
