import type { PaymentContext } from './payment-context.ts'
import { carryOutRefund } from './refund-payment.ts'
import { checkPayment } from './settle-payment.ts'

const BATCH = 100
const AFTER_FAILURE_MS = 30_000

/**
 * Looks at every payment and refund that is due. One that goes wrong is logged, put off and does not stop the others.
 * Resolves with how many were looked at.
 */
export async function reconcilePayments(context: PaymentContext): Promise<number> {
  const now = new Date(context.clock.now())
  const payments = await context.db.query<{ id: string }>(
    `select id from control.payments where state <> 'settled' and next_check_at <= $1 order by next_check_at limit ${BATCH}`,
    [now],
  )
  const refunds = await context.db.query<{ id: string }>(
    `select id from control.refunds where state in ('requested', 'pending') and next_check_at <= $1
     order by next_check_at limit ${BATCH}`,
    [now],
  )
  let looked = 0
  for (const { id } of payments)
    looked += await attempt(context, { table: 'payments', id }, () => checkPayment(context, id))
  for (const { id } of refunds)
    looked += await attempt(context, { table: 'refunds', id }, () => carryOutRefund(context, id))
  return looked
}

async function attempt(
  context: PaymentContext,
  { table, id }: { table: 'payments' | 'refunds'; id: string },
  look: () => Promise<unknown>,
): Promise<0 | 1> {
  try {
    await look()
    return 1
  } catch (error) {
    context.log.warn({ table, id, reason: String(error) }, 'what a provider should tell could not be asked')
    // What cannot be looked at must not stand first in every batch.
    await context.db.query(`update control.${table} set checks = checks + 1, next_check_at = $2 where id = $1`, [
      id,
      new Date(context.clock.now() + AFTER_FAILURE_MS),
    ])
    return 0
  }
}
