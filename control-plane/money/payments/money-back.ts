import type { Sql } from '#platform/postgres/database.ts'
import type { ReturnCause } from '../invoices/correct-sale.ts'
import { CHARGEBACK_REASON, correctTopUp, REFUND_REASON, reissueTopUp } from '../invoices/correct-top-up.ts'
import type { PaymentContext } from './payment-context.ts'
import { notifyUnlessErased, recordUnlessErased } from './unless-erased.ts'

/** A top-up's money that left or returned at its provider. */
export type MoneyMoved = {
  /** `refund`: sent by Bakter; `foreign-refund`: made on the provider's own pages; `dispute`: taken by a bank. */
  readonly kind: 'refund' | 'foreign-refund' | 'dispute'
  /** The payment, or the unmatched payment if staff assigned one. */
  readonly documentId: string
  readonly paymentId: string | null
  /** Our refund, or the provider's id. */
  readonly sourceId: string
  /** The row of this one movement: of our refund, or of the reversal. A dispute may get its id after it was taken. */
  readonly movementId: string
  readonly userId: string
  readonly provider: string
  readonly amountFt: bigint
  /** The part of it that became a debt. */
  readonly debtFt: bigint
  readonly requestId: string
}

const REASONS = { refund: REFUND_REASON, 'foreign-refund': REFUND_REASON, dispute: CHARGEBACK_REASON }

/** A movement that was posted and announced, and whose documents are still missing. */
export type Movement = { readonly direction: 'away' | 'again'; readonly moved: MoneyMoved }

/**
 * All consequences of money leaving a top-up, except its document: called once for each sent refund and each reversal,
 * in the transaction that posts it.
 */
export async function moneyWentBack(tx: Sql, context: PaymentContext, moved: MoneyMoved): Promise<Movement> {
  const { kind, userId, amountFt, debtFt, requestId } = moved
  const data = { amount: Number(amountFt), ...(debtFt > 0n ? { debt: Number(debtFt) } : {}) }
  const text = kind === 'dispute' ? 'payment.taken-back' : 'refund.sent'
  await notifyUnlessErased(tx, context, { userId, text, data, requestId })
  if (kind !== 'refund') await recordTaken(tx, context, moved)
  return { direction: 'away', moved }
}

/**
 * Issues the documents of the postings. Last in its transaction: from here on all other invoices wait for it, so no
 * posting may follow. Corrections of invoices come before reissues.
 */
export async function documentMovements(
  tx: Sql,
  context: PaymentContext,
  movements: readonly Movement[],
): Promise<void> {
  for (const { direction, moved } of movements) {
    if (direction !== 'away') continue
    const { documentId, amountFt, kind, requestId } = moved
    const back = { documentId, amountFt, cause: causeOf(moved), reason: REASONS[kind], requestId }
    await correctTopUp(tx, context, back)
  }
  for (const { direction, moved } of movements) {
    if (direction !== 'again') continue
    await reissueTopUp(tx, context, { documentId: moved.documentId, cause: causeOf(moved) })
  }
}

/** Each movement of a document is a separate cause. */
const causeOf = ({ kind, movementId }: MoneyMoved): ReturnCause => ({
  type: kind === 'dispute' ? 'chargeback' : kind,
  id: movementId,
})

async function recordTaken(tx: Sql, context: PaymentContext, moved: MoneyMoved): Promise<void> {
  const { kind, userId, documentId, sourceId, amountFt, debtFt, requestId } = moved
  const detail = { documentId, sourceId, amountFt: Number(amountFt), debtFt: Number(debtFt) }
  const type = kind === 'dispute' ? 'payment.taken-back' : 'refund.elsewhere'
  await recordUnlessErased(tx, context, { userId, type, status: 'failure', detail })
  context.log.error({ requestId, kind, ...detail }, 'money of a customer was taken back at a provider')
}

/**
 * The money has returned: the bank sent a completed refund back, or a dispute was won. Called once for each, in the
 * transaction that posts it.
 */
export async function moneyCameAgain(tx: Sql, context: PaymentContext, moved: MoneyMoved): Promise<Movement> {
  const { kind, userId, documentId, sourceId, amountFt, requestId } = moved
  const detail = { documentId, sourceId, amountFt: Number(amountFt) }
  if (kind === 'dispute') {
    await recordUnlessErased(tx, context, { userId, type: 'payment.dispute-won', status: 'success', detail })
    return { direction: 'again', moved }
  }
  await tellRefundFailed(tx, context, { userId, amountFt, requestId })
  if (kind === 'foreign-refund')
    await recordUnlessErased(tx, context, { userId, type: 'refund.failed', status: 'failure', detail })
  context.log.error({ requestId, kind, ...detail }, 'a refund that was sent came back')
  return { direction: 'again', moved }
}

/** A refund did not reach the customer's bank: the money is back on the balance. */
export const tellRefundFailed = (
  tx: Sql,
  context: PaymentContext,
  { userId, amountFt, requestId }: Pick<MoneyMoved, 'userId' | 'amountFt' | 'requestId'>,
): Promise<void> =>
  notifyUnlessErased(tx, context, { userId, text: 'refund.failed', data: { amount: Number(amountFt) }, requestId })
