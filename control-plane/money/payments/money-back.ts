import type { Sql } from '#platform/postgres/database.ts'
import type { ReturnCause } from '../invoices/correct-sale.ts'
import { CHARGEBACK_REASON, correctTopUp, REFUND_REASON, reissueTopUp } from '../invoices/correct-top-up.ts'
import type { PaymentContext } from './payment-context.ts'
import { notifyUnlessErased, recordUnlessErased } from './unless-erased.ts'

/** Money of a top-up that left us, or came to us again, at its provider. */
export type MoneyMoved = {
  /** `refund`: sent by Bakter; `foreign-refund`: made at the provider's own pages; `dispute`: taken by a bank. */
  readonly kind: 'refund' | 'foreign-refund' | 'dispute'
  /** The payment; of parked money that staff gave to a customer the parked row. */
  readonly documentId: string
  readonly paymentId: string | null
  /** Our refund, or the provider's own name of it. */
  readonly sourceId: string
  /** The row of this one movement: of a refund of ours, or of what was taken. A dispute may get its name after it was taken. */
  readonly movementId: string
  readonly userId: string
  readonly provider: string
  readonly amountFt: bigint
  /** What of it became a debt. */
  readonly debtFt: bigint
  readonly requestId: string
}

const REASONS = { refund: REFUND_REASON, 'foreign-refund': REFUND_REASON, dispute: CHARGEBACK_REASON }

/** One movement that was posted and told, whose documents are still to be made. */
export type Movement = { readonly direction: 'away' | 'again'; readonly moved: MoneyMoved }

/**
 * Everything but its document that follows when money of a top-up is gone for good or for now: called once for each refund that was sent
 * and each taking back, in the transaction that posts it.
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
 * Makes the documents of what was posted. Last in its transaction: everybody else's invoices wait for it from here on, so nothing is
 * posted after. What went is taken off the invoices before what came again stands on new ones.
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

/** Each movement of a document has a cause of its own. */
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
 * The same money is here again: a refund that the bank sent back after it was reported as sent, or a dispute that was won. Called
 * once for each, in the transaction that posts it.
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

/** A refund did not reach the customer's bank: the money is on the balance again. */
export const tellRefundFailed = (
  tx: Sql,
  context: PaymentContext,
  { userId, amountFt, requestId }: Pick<MoneyMoved, 'userId' | 'amountFt' | 'requestId'>,
): Promise<void> =>
  notifyUnlessErased(tx, context, { userId, text: 'refund.failed', data: { amount: Number(amountFt) }, requestId })
