import type { CouponRow } from '#contracts/cms-api/sales-rows.ts'
import { couponPrize, serverPrize, type Coupon, type CouponContext } from '#domain/billing/coupon.ts'
import { forints } from '#domain/billing/money.ts'
import { readCoupon } from '../../cms/sales-reader.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { accountsOfMailboxes } from '../mailboxes/mailbox-store.ts'
import { lockInOrder } from '../ledger/lock-order.ts'

/** A customer's coupon as input of the price: the coupon found, and its number of uses. */
export type TypedCoupon = {
  readonly found: Coupon | undefined
  readonly uses: Pick<CouponContext, 'usedCount' | 'usedByCustomer'>
}

export type CouponQuery = {
  readonly code: string
  readonly userId: string
  /**
   * Whether the coupon is about to be used. Uses then wait for one another until the transaction ends, so that none is
   * counted twice; a mere quote waits for nobody.
   */
  readonly isOrder: boolean
}

/**
 * Finds the coupon of a code, from the wheel or from staff, with its uses: those of all accounts of the customer's
 * mailbox are the customer's. `code` is normalised.
 */
export async function findCoupon(sql: Sql, { code, userId, isOrder }: CouponQuery): Promise<TypedCoupon> {
  const found = (await prizeCoupon(sql, code)) ?? (await staffCoupon(sql, code))
  if (!found) return { found, uses: { usedCount: 0, usedByCustomer: 0 } }
  if (isOrder) await lockInOrder(sql, { coupon: { of: 'order', id: found.id } })
  // A separate statement after the lock: it sees the commit of the previous holder.
  const accounts = await accountsOfMailboxes(sql, userId)
  const [uses] = await sql.query<{ by_all: bigint; by_customer: bigint }>(
    `select count(*) as by_all, count(*) filter (where user_id = any ($2)) as by_customer
     from control.coupon_reservations where coupon_id = $1 and state <> 'released'`,
    [found.id, accounts],
  )
  return { found, uses: { usedCount: Number(uses?.by_all ?? 0), usedByCustomer: Number(uses?.by_customer ?? 0) } }
}

type PrizeRow = {
  id: string
  code: string
  user_id: string
  percent: number
  package_id: string | null
  drawn_at: Date
}

async function prizeCoupon(sql: Sql, code: string): Promise<Coupon | undefined> {
  const [row] = await sql.query<PrizeRow>(
    'select id, code, user_id, percent, package_id, drawn_at from control.prize_coupons where code = $1',
    [code],
  )
  if (!row) return undefined
  const won = { id: row.id, code: row.code, userId: row.user_id, drawnAtMs: row.drawn_at.getTime() }
  return row.package_id === null
    ? couponPrize({ ...won, percent: row.percent })
    : serverPrize({ ...won, packageId: row.package_id })
}

async function staffCoupon(sql: Sql, code: string): Promise<Coupon | undefined> {
  const row = await readCoupon(sql, code)
  return row && couponOf(row)
}

/** Converts a coupon of the CMS to the domain's type. */
export const couponOf = (row: CouponRow): Coupon => ({
  id: row.id,
  code: row.code,
  type: row.type,
  amount: row.amount,
  isActive: row.active,
  validFromMs: row.valid_from?.getTime(),
  validToMs: row.valid_to?.getTime(),
  expiresAtMs: row.expires_at?.getTime(),
  maxOrderTotal: row.maximum_price_ft === null ? undefined : forints(BigInt(row.maximum_price_ft)),
  maxUses: row.maximum_usage ?? undefined,
  usage: row.usage,
  serviceIds: row.service_ids.length === 0 ? undefined : row.service_ids,
  scope: 'order',
})
