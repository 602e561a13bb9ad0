import type { Sql } from '#platform/postgres/database.ts'

/** The part of a payment, in forints, that our own refunds have returned or are returning. */
export async function refundedByUsFt(tx: Sql, paymentId: string): Promise<bigint> {
  const [row] = await tx.query<{ total: bigint }>(
    `select coalesce(sum(amount_ft), 0)::bigint as total from control.refunds where payment_id = $1 and state <> 'failed'`,
    [paymentId],
  )
  return row?.total ?? 0n
}

/** The part of a payment reversed without a refund of ours, by banks or on the provider's own pages. */
export async function takenBackFt(tx: Sql, paymentId: string): Promise<bigint> {
  const [row] = await tx.query<{ total: bigint }>(
    `select coalesce(sum(amount_ft), 0)::bigint as total from control.chargebacks where payment_id = $1 and state = 'taken'`,
    [paymentId],
  )
  return row?.total ?? 0n
}
