import type { Sql } from '#platform/postgres/database.ts'

/** What of a payment is on its way back or is back, in forints, by refunds that were begun here. */
export async function refundedByUsFt(tx: Sql, paymentId: string): Promise<bigint> {
  const [row] = await tx.query<{ total: bigint }>(
    `select coalesce(sum(amount_ft), 0)::bigint as total from control.refunds where payment_id = $1 and state <> 'failed'`,
    [paymentId],
  )
  return row?.total ?? 0n
}

/** What of a payment was taken back without a refund of ours, by banks or at the provider's own pages. */
export async function takenBackFt(tx: Sql, paymentId: string): Promise<bigint> {
  const [row] = await tx.query<{ total: bigint }>(
    `select coalesce(sum(amount_ft), 0)::bigint as total from control.chargebacks where payment_id = $1 and state = 'taken'`,
    [paymentId],
  )
  return row?.total ?? 0n
}
