import { upgradeCharge } from '#domain/billing/modification.ts'
import { forints, money, sum, type Money } from '#domain/billing/money.ts'
import { discountAfterCoupon, standingDiscount, type OrderCoupon } from '#domain/billing/premium.ts'
import type { Sql } from '#platform/postgres/database.ts'

type SoldRow = {
  /** For orders and renewals. For an upgrade only its own price is stored. */
  listed_ft: bigint | null
  discount_ft: bigint | null
  paid_ft: bigint
  coupon_id: string | null
  is_prize: boolean
  coupon_type: 'percentage' | 'forint' | null
  difference_ft: bigint
  start_at: Date | null
  end_at: Date | null
  returned_ft: bigint
  is_held: boolean
  is_open: boolean
}

/** Sales while the purchase `$1` was active, and their remaining amounts. A converted test server has an order. */
const SOLD = `
  with bought as (select user_id, started_at, expires_at from control.premium_purchases where id = $1),
  sold as (
    select o.id, o.created_at, o.monthly_ft * o.months as listed_ft,
      (select -sum((part ->> 'amountFt')::bigint)::bigint from jsonb_array_elements(o.parts) part
       where part ->> 'kind' = 'premium-discount') as discount_ft, o.total_ft as paid_ft,
      o.coupon_id, exists (select from control.prize_coupons c where c.id = o.coupon_id) as is_prize,
      (select c.type from cms_api.coupons c where c.id = o.coupon_id) as coupon_type, 0::bigint as difference_ft,
      o.state = 'provisioning' as is_open
    from control.orders o join bought b using (user_id) where o.premium_percent > 0 and o.state <> 'failed'
    union all
    select r.id, r.created_at, r.monthly_ft * r.months, r.discount_ft, r.total_ft, null, false, null, 0, false
    from control.renewals r join bought b using (user_id) where r.discount_ft > 0
    union all
    select m.id, m.created_at, null, null, m.charge_ft, null, false, null, m.to_monthly_ft - m.from_monthly_ft, false
    from control.modifications m join bought b using (user_id) where m.to_monthly_ft > m.from_monthly_ft
  )
  select s.listed_ft, s.discount_ft, s.paid_ft, s.coupon_id, s.is_prize, s.coupon_type, s.difference_ft, s.is_open, p.start_at, p.end_at,
    coalesce(p.returned_ft, 0)::bigint as returned_ft, coalesce(p.is_held, true) as is_held
  from sold s join bought b on s.created_at between b.started_at and b.expires_at
    left join lateral (select min(start_at) as start_at, max(end_at) as end_at, sum(returned_ft)::bigint as returned_ft,
        bool_or(held_monthly_ft > from_monthly_ft) as is_held
      from control.paid_spans where order_id = s.id or renewal_id = s.id or modification_id = s.id) p on true`

/** The discounts of a premium purchase on other purchases that are still in force. */
export async function readStandingDiscounts(
  sql: Sql,
  purchaseId: string,
): Promise<{ readonly discounts: Money; readonly isBeingInstalled: boolean }> {
  const rows = await sql.query<SoldRow>(SOLD, [purchaseId])
  const standing = rows.map((row) => {
    const [paid, returned] = [forints(row.paid_ft), forints(row.returned_ft)]
    return standingDiscount({ discount: discountOf(row), paid, returned, isHeld: row.is_held })
  })
  return { discounts: sum(standing, 'HUF'), isBeingInstalled: rows.some((row) => row.is_open) }
}

function couponOf({ coupon_id: id, is_prize: isPrize, coupon_type: type }: SoldRow): OrderCoupon | undefined {
  if (id === null) return undefined
  return isPrize ? { from: 'wheel' } : { from: 'staff', type: type ?? undefined }
}

/** The premium discount on an upgrade is its difference from the full price of that time (decision 30). */
function discountOf(row: SoldRow): Money {
  const { discount_ft: discountFt, listed_ft: listedFt, start_at: start, end_at: end } = row
  const total = forints(row.paid_ft)
  if (discountFt !== null && listedFt !== null) {
    const [listed, discount] = [forints(listedFt), forints(discountFt)]
    return discountAfterCoupon({ listed, discount, total, coupon: couponOf(row) })
  }
  if (!start || !end) return forints(0n)
  const whole = upgradeCharge(forints(row.difference_ft), end.getTime() - start.getTime(), 0)
  const off = whole.minor - total.minor
  return money(off > 0n ? off : 0n, total.currency)
}
