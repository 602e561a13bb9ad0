import type { ObservedPayment } from '../payments/payment-provider.ts'
import type { Sql } from '../platform/postgres.ts'
import { park } from './park-money.ts'
import type { PaymentContext } from './payment-context.ts'
import type { PaymentRow } from './payment-row.ts'

/** What of a payment is on its way back or is back, in forints, by refunds that were begun here. */
export async function refundedByUsFt(tx: Sql, paymentId: string): Promise<bigint> {
  const [row] = await tx.query<{ total: bigint }>(
    `select coalesce(sum(amount_ft), 0)::bigint as total from control.refunds where payment_id = $1 and state <> 'failed'`,
    [paymentId],
  )
  return row?.total ?? 0n
}

/** What has left for the source, beyond recall. */
export async function sentBackFt(tx: Sql, paymentId: string): Promise<bigint> {
  const [row] = await tx.query<{ total: bigint }>(
    `select coalesce(sum(amount_ft), 0)::bigint as total from control.refunds where payment_id = $1 and state = 'succeeded'`,
    [paymentId],
  )
  return row?.total ?? 0n
}

/** Money that went back without a refund of ours, at the provider's own pages: staff settle it with the customer's balance. */
export async function noteForeignRefund(
  tx: Sql,
  context: PaymentContext,
  { payment, observed, refundedFt }: { payment: PaymentRow; observed: ObservedPayment; refundedFt: bigint },
): Promise<void> {
  const foreignFt = refundedFt - (await refundedByUsFt(tx, payment.id))
  if (foreignFt <= 0n || payment.provider_payment_id === null) return
  await park(tx, context, {
    provider: payment.provider,
    providerPaymentId: payment.provider_payment_id,
    kind: 'refund',
    problem: 'FOREIGN_REFUND',
    amount: { minor: foreignFt, currency: 'HUF', exponent: 0 },
    reference: observed.reference,
    paymentId: payment.id,
    userId: payment.user_id,
  })
}
