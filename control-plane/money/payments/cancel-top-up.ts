import type { TopupCheck } from '#contracts/http/payment.ts'
import { assert } from '#domain/kernel/assert.ts'
import { transactionStatus } from '#domain/payments/payment-state.ts'
import { lockInOrder } from '../ledger/lock-order.ts'
import { setStatementStatus } from '../wallet/statement.ts'
import { checkTopUp } from './check-top-up.ts'
import type { PaymentContext } from './payment-context.ts'
import { SELECT_PAYMENT, type PaymentRow } from './payment-row.ts'

const CANCELLED = 'cancelled_by_customer'

/**
 * Ends a customer's own pending top-up and returns its state; undefined if there is none. The provider is looked up
 * first, so that a payment that has arrived is credited and not cancelled. The payment is watched as before: money that
 * arrives later still counts.
 */
export async function cancelTopUp(
  context: PaymentContext,
  asked: { userId: string; transaction: string },
): Promise<TopupCheck | undefined> {
  const check = await checkTopUp(context, asked)
  if (check?.status !== 'processing') return check
  await context.db.transaction(async (tx) => {
    await lockInOrder(tx, { person: asked.userId })
    const [payment] = await tx.query<PaymentRow>(`${SELECT_PAYMENT} where id = $1 for update`, [check.paymentId])
    assert(payment, 'A payment is never deleted.')
    if (transactionStatus(payment.state) !== 'processing') return
    await tx.query(
      `update control.payments set state = 'failed', failure_code = coalesce(failure_code, $2), updated_at = $3 where id = $1`,
      [payment.id, CANCELLED, new Date(context.clock.now())],
    )
    await setStatementStatus(tx, context, { document: { kind: 'payment', id: payment.id }, status: 'failed' })
  })
  return checkTopUp(context, asked)
}
