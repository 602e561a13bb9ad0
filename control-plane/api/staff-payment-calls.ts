import { assertNever } from '#domain/kernel/assert.ts'
import type { PaymentRefundRefusal } from '#domain/payments/refund-to-source.ts'
import { assignUnmatched, type AssignRefusal } from '../money/staff/assign-unmatched.ts'
import { closeDispute } from '../money/payments/close-dispute.ts'
import { refundPayment } from '../money/payments/refund-payment.ts'
import { readStaffPayments, readUnmatched } from '../money/staff/staff-payments.ts'
import { writeOffDebt } from '../money/staff/write-off-debt.ts'
import { administratorOf } from './administrator-of.ts'
import type { ApiDeps, InternalCalls } from './api-deps.ts'
import { ApiRefusal } from './api-refusal.ts'
import { keyOf } from './idempotency-key.ts'

type StaffCall =
  'staff-payments' | 'unmatched-payments' | 'assign-unmatched' | 'refund-payment' | 'close-dispute' | 'write-off-debt'
type KeyCode = 'IN_PROGRESS' | 'IDEMPOTENCY_MISMATCH'

/** Calls of staff about payments. Each carries a reason, and is logged with its author. */
export const staffPaymentCalls = ({ context }: ApiDeps): Pick<InternalCalls, StaffCall> => ({
  'staff-payments': ({ caller, ...filter }) => {
    administratorOf(caller)
    return readStaffPayments(context.db, context.providers, filter)
  },
  'unmatched-payments': ({ caller, ...page }) => {
    administratorOf(caller)
    return readUnmatched(context.db, page)
  },
  'assign-unmatched': async ({ caller, ...wish }, meta) => {
    const { requestId, idempotencyKey } = meta
    const { staffId } = administratorOf(caller)
    const key = idempotencyKey === undefined ? undefined : keyOf(meta)
    const answer = await assignUnmatched(context, { staffId, ...wish, requestId, idempotencyKey: key })
    if (!answer.ok) throw assignRefused(answer.code)
    return { state: answer.state, creditedFt: answer.creditedFt }
  },
  'refund-payment': async ({ caller, ...wish }, meta) => {
    const { staffId } = administratorOf(caller)
    const answer = await refundPayment(context, {
      staffId,
      ...wish,
      requestId: meta.requestId,
      idempotencyKey: keyOf(meta),
    })
    if (!answer.ok) throw refundRefused(answer.code)
    return { refundId: answer.refundId, state: answer.state }
  },
  'close-dispute': async ({ caller, ...wish }, meta) => {
    const { staffId } = administratorOf(caller)
    const answer = await closeDispute(context, {
      staffId,
      ...wish,
      requestId: meta.requestId,
      idempotencyKey: keyOf(meta),
    })
    if (answer.ok) return { dispute: answer.dispute, amountFt: answer.amountFt }
    if (answer.code !== 'AMOUNT_INVALID') throw new ApiRefusal(answer.code)
    throw new ApiRefusal('VALIDATION', { fields: { amountFt: 'invalid' } })
  },
  'write-off-debt': async ({ caller, ...wish }, meta) => {
    const { staffId } = administratorOf(caller)
    const answer = await writeOffDebt(context, {
      staffId,
      ...wish,
      requestId: meta.requestId,
      idempotencyKey: keyOf(meta),
    })
    if (answer.ok) return { amountFt: answer.amountFt }
    throw new ApiRefusal(answer.code === 'NO_DEBT' ? 'INVALID_STATE' : answer.code)
  },
})

function assignRefused(code: AssignRefusal | KeyCode): ApiRefusal {
  switch (code) {
    case 'NOT_FOUND':
    case 'IN_PROGRESS':
    case 'IDEMPOTENCY_MISMATCH':
      return new ApiRefusal(code)
    case 'RESOLVED':
      return new ApiRefusal('CONFLICT')
    case 'AMOUNT_INVALID':
      return new ApiRefusal('VALIDATION', { fields: { amountFt: 'invalid' } })
    case 'NO_SUCH_USER':
      return new ApiRefusal('VALIDATION', { fields: { userId: 'notFound' } })
    default:
      return assertNever(code)
  }
}

/** Translates the refusal of a refund to the API. */
export function refundRefused(code: PaymentRefundRefusal | KeyCode): ApiRefusal {
  switch (code) {
    case 'NOT_FOUND':
    case 'IN_PROGRESS':
    case 'IDEMPOTENCY_MISMATCH':
      return new ApiRefusal(code)
    case 'AMOUNT_INVALID':
      return new ApiRefusal('VALIDATION', { fields: { amountFt: 'invalid' } })
    case 'REASON_MISSING':
      return new ApiRefusal('VALIDATION', { fields: { reason: 'missing' } })
    case 'MORE_THAN_PAID':
    case 'INSUFFICIENT_BALANCE':
    case 'SOURCE_NOT_REFUNDABLE':
      return new ApiRefusal('REFUND_REFUSED', { params: { reason: code } })
    case 'NOT_SETTLED':
    case 'DISPUTED':
      return new ApiRefusal('INVALID_STATE')
    default:
      return assertNever(code)
  }
}
