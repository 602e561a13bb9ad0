import { inHouseUnits, type ObservedAmount } from '#domain/billing/payment-amount.ts'
import type { PaymentProblem } from '#domain/billing/payment-match.ts'
import type { ObservedPayment } from '../payments/payment-provider.ts'
import type { Sql } from '../platform/postgres.ts'
import type { PaymentContext } from './payment-context.ts'
import type { PaymentRow } from './payment-row.ts'

export type ParkedMoney = {
  readonly provider: string
  readonly providerPaymentId: string
  readonly kind: 'settlement' | 'refund'
  readonly problem: PaymentProblem
  readonly amount: ObservedAmount
  readonly forwarded?: ObservedAmount | undefined
  readonly reference: string | null
  /** What it seems to belong to. */
  readonly paymentId: string | null
  readonly userId: string | null
}

/**
 * Keeps money that nothing here expects for staff, and raises the alarm once for each (T08-T10). Answers whether it is new;
 * what is parked already stays as it is, but for what went back, which may grow.
 */
export async function park(tx: Sql, context: PaymentContext, money: ParkedMoney): Promise<boolean> {
  const forwardedFt = inHouseUnits(money.forwarded ?? money.amount, 'HUF')
  const rows = await tx.query<{ is_new: boolean }>(
    `insert into control.unmatched_payments as u (id, provider, provider_payment_id, kind, problem, amount_minor, currency,
       exponent, forwarded_ft, reference, payment_id, user_id, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     on conflict (provider, provider_payment_id, kind) do update set amount_minor = excluded.amount_minor,
       forwarded_ft = excluded.forwarded_ft
       where u.kind = 'refund' and u.state = 'open'
     returning (xmax = 0) as is_new`,
    [
      context.ids.next(),
      money.provider,
      money.providerPaymentId,
      money.kind,
      money.problem,
      money.amount.minor.toString(),
      money.amount.currency,
      money.amount.exponent,
      forwardedFt !== undefined && forwardedFt > 0n ? forwardedFt.toString() : null,
      money.reference,
      money.paymentId,
      money.userId,
      new Date(context.clock.now()),
    ],
  )
  const isNew = rows[0]?.is_new === true
  if (isNew) {
    const { provider, problem, paymentId } = money
    context.log.error({ provider, problem, paymentId }, 'money is parked and needs a person')
  }
  return isNew
}

/** Parks what a provider confirms for a payment of ours that it does not fit. */
export async function parkMoney(
  tx: Sql,
  context: PaymentContext,
  { payment, observed, problem }: { payment: PaymentRow; observed: ObservedPayment; problem: PaymentProblem },
): Promise<void> {
  await park(tx, context, {
    provider: payment.provider,
    providerPaymentId: payment.provider_payment_id ?? payment.id,
    kind: 'settlement',
    problem,
    amount: observed.amount,
    forwarded: observed.forwarded,
    reference: observed.reference,
    paymentId: payment.id,
    userId: payment.user_id,
  })
}

/** A parked payment fits after all and was credited: nobody has to look at it any more. */
export async function dismissParked(tx: Sql, { clock }: PaymentContext, payment: PaymentRow): Promise<void> {
  await tx.query(
    `update control.unmatched_payments set state = 'dismissed', resolved_at = $3, resolution = 'credited by its payment'
     where provider = $1 and provider_payment_id = $2 and kind = 'settlement' and state = 'open'`,
    [payment.provider, payment.provider_payment_id, new Date(clock.now())],
  )
}
