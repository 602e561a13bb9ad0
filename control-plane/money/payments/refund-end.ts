import { assert } from '#domain/kernel/assert.ts'
import { forints } from '#domain/billing/money.ts'
import { nextRefundLookMs } from '#domain/payments/payment-window.ts'
import { refundReleased, refundReturned, refundSent } from '../ledger/payment-postings.ts'
import type { ObservedRefund } from './payment-provider.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { payDebt } from '../wallet/debt.ts'
import { documentMovements, moneyCameAgain, moneyWentBack, tellRefundFailed, type Movement } from './money-back.ts'
import { announceBalance } from '../../messages/notices/notify-user.ts'
import type { PaymentContext } from './payment-context.ts'
import { noteRefunded } from '../wallet/statement.ts'
import { recordUnlessErased } from './unless-erased.ts'

export type RefundState = 'requested' | 'pending' | 'succeeded' | 'failed'

export type RefundRow = {
  readonly id: string
  readonly payment_id: string
  readonly user_id: string
  readonly provider: string
  readonly provider_payment_id: string
  readonly amount_ft: bigint
  readonly state: RefundState
  readonly checks: number
  readonly failures: number
  readonly request_id: string
}

export const SELECT_REFUND = `select r.id, r.payment_id, r.user_id, r.provider, p.provider_payment_id, r.amount_ft, r.state, r.checks,
  r.failures, r.request_id from control.refunds r join control.payments p on p.id = r.payment_id`

/** Posts the provider's state of a pending refund. */
export async function bookRefund(
  tx: Sql,
  context: PaymentContext,
  { refund, observed }: { refund: RefundRow; observed: ObservedRefund },
): Promise<RefundState> {
  if (refund.state === 'succeeded' || refund.state === 'failed') return refund.state
  const now = context.clock.now()
  const nextMs = nextRefundLookMs(observed.state, { checks: refund.checks, nowMs: now })
  await tx.query(
    `update control.refunds set state = $2, provider_refund_id = coalesce($3, provider_refund_id), failure_code = $4,
       checks = checks + 1, failures = 0, next_check_at = $5, updated_at = $6 where id = $1`,
    [
      refund.id,
      observed.state,
      observed.providerRefundId,
      observed.failureCode,
      nextMs === null ? 'infinity' : new Date(nextMs),
      new Date(now),
    ],
  )
  if (observed.state === 'pending') return 'pending'
  const amount = forints(refund.amount_ft)
  const money = { refundId: refund.id, provider: refund.provider, userId: refund.user_id, amount }
  const origin = { id: context.ids.next(), atMs: now, actor: 'system', requestId: refund.request_id }
  const ended = observed.state === 'succeeded' ? refundSent(origin, money) : refundReleased(origin, money)
  const posted = await context.ledgerOn(tx).post(ended)
  assert(posted.ok, 'What stands on refunds_out leaves it once.')
  await context.faults('refund.booked')
  if (observed.state === 'succeeded') await tellSent(tx, context, refund)
  else await giveToWallet(tx, context, { refund, failureCode: observed.failureCode })
  return observed.state
}

async function setLine(
  tx: Sql,
  { clock }: PaymentContext,
  { refundId, status }: { refundId: string; status: 'finished' | 'failed' },
): Promise<void> {
  await tx.query(
    `update control.wallet_transactions set status = $2, updated_at = $3 where reference_kind = 'refund' and reference_id = $1`,
    [refundId, status, new Date(clock.now())],
  )
}

const movedOf = (refund: RefundRow) => ({
  kind: 'refund' as const,
  documentId: refund.payment_id,
  paymentId: refund.payment_id,
  sourceId: refund.id,
  movementId: refund.id,
  userId: refund.user_id,
  provider: refund.provider,
  amountFt: refund.amount_ft,
  debtFt: 0n,
  requestId: refund.request_id,
})

async function tellSent(tx: Sql, context: PaymentContext, refund: RefundRow): Promise<void> {
  const { id: refundId, user_id: userId, payment_id: paymentId, amount_ft: amountFt } = refund
  await setLine(tx, context, { refundId, status: 'finished' })
  const detail = { paymentId, refundId, amountFt: Number(amountFt), failureCode: null }
  await recordUnlessErased(tx, context, { userId, type: 'refund.sent', status: 'success', detail })
  await noteRefunded(tx, paymentId, amountFt)
  await documentMovements(tx, context, [await moneyWentBack(tx, context, movedOf(refund))])
}

/** A failed refund returns to the wallet, and first pays a debt. */
async function giveToWallet(
  tx: Sql,
  context: PaymentContext,
  { refund, failureCode }: { refund: RefundRow; failureCode: string | null },
): Promise<void> {
  const { id: refundId, user_id: userId, payment_id: paymentId, request_id: requestId, amount_ft: amountFt } = refund
  await payDebt(tx, context, { documentId: refundId, userId, requestId })
  await setLine(tx, context, { refundId, status: 'failed' })
  const detail = { paymentId, refundId, amountFt: Number(amountFt), failureCode }
  await recordUnlessErased(tx, context, { userId, type: 'refund.failed', status: 'failure', detail })
  const { available } = await context.ledgerOn(tx).userBalance(userId, 'HUF')
  const change = { userId, change: forints(amountFt), balance: available, requestId }
  await announceBalance(tx, context, { ...change, type: 'correction up' })
  if (refund.state !== 'succeeded') await tellRefundFailed(tx, context, { userId, amountFt, requestId })
}

/**
 * A completed refund was sent back by the customer's bank: the customer gets the money again, once. A refund not yet
 * reported as completed ends with the provider's own response instead.
 */
export async function returnRefund(tx: Sql, context: PaymentContext, refundId: string): Promise<Movement[]> {
  const [refund] = await tx.query<RefundRow>(`${SELECT_REFUND} where r.id = $1 for update of r`, [refundId])
  if (refund?.state !== 'succeeded') return []
  const now = context.clock.now()
  const amount = forints(refund.amount_ft)
  const money = { refundId, provider: refund.provider, userId: refund.user_id, amount }
  const origin = { id: context.ids.next(), atMs: now, actor: 'system', requestId: refund.request_id }
  const posted = await context.ledgerOn(tx).post(refundReturned(origin, money))
  assert(posted.ok, 'What a bank sends back only gives.')
  await context.faults('refund.returned')
  await tx.query(
    `update control.refunds set state = 'failed', failure_code = coalesce(failure_code, 'returned'), next_check_at = 'infinity',
       updated_at = $2 where id = $1`,
    [refundId, new Date(now)],
  )
  await noteRefunded(tx, refund.payment_id, -refund.amount_ft)
  await giveToWallet(tx, context, { refund, failureCode: 'returned' })
  return [await moneyCameAgain(tx, context, movedOf(refund))]
}
