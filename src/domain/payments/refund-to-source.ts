import { forints, type Money } from '../billing/money.ts'
import type { Dispute, PaymentState } from './payment-state.ts'
import { refundToSource, type REFUND_REFUSALS } from '../billing/refund.ts'
import { parseForints } from './top-up.ts'

/**
 * Why a payment cannot be refunded to its source: reasons of the payment itself, then those of the amount by
 * `refundToSource`.
 */
export type PaymentRefundRefusal = 'NOT_FOUND' | 'NOT_SETTLED' | 'DISPUTED' | (typeof REFUND_REFUSALS)[number]

export type PaymentRefundRequest = {
  readonly state: PaymentState
  readonly dispute: Dispute
  readonly creditedFt: bigint
  /** The amount that our own refunds have returned or are returning, and the provider's total. */
  readonly refundedFt: bigint
  readonly refundedAtProviderFt: bigint
  /** Money of the wallet without holds. A bonus is not money and is never paid out. */
  readonly freeFt: bigint
  readonly refunds: 'none' | 'whole' | 'partial'
  readonly amount: unknown
  readonly reason: string
}

export type PaymentRefundDecision =
  { readonly ok: true; readonly amount: Money } | { readonly ok: false; readonly code: PaymentRefundRefusal }

const refused = (code: PaymentRefundRefusal): PaymentRefundDecision => ({ ok: false, code })

type Standing = Omit<PaymentRefundRequest, 'freeFt' | 'amount' | 'reason'>

/** Why a payment cannot be refunded at all. */
function refusalOf({ state, dispute }: Standing): 'NOT_SETTLED' | 'DISPUTED' | undefined {
  if (state !== 'settled') return 'NOT_SETTLED'
  return dispute === 'open' || dispute === 'lost' ? 'DISPUTED' : undefined
}

/** The returned amount, by our count or by the provider's, whichever is larger. */
const goneFt = ({ refundedFt: ours, refundedAtProviderFt: theirs }: Standing): bigint => (ours > theirs ? ours : theirs)

/**
 * The maximum refund of a payment now, in forints; a provider with full refunds only returns nothing after a partial
 * one.
 */
export function refundableFt(payment: Standing): bigint {
  const gone = goneFt(payment)
  if (refusalOf(payment) !== undefined || payment.refunds === 'none') return 0n
  if (payment.refunds === 'whole' && gone > 0n) return 0n
  return gone < payment.creditedFt ? payment.creditedFt - gone : 0n
}

/**
 * Decides whether staff may refund a payment to its source: never more than came in, by our count and by the provider's
 * (I8), never spent money, and nothing during a dispute.
 */
export function decidePaymentRefund(request: PaymentRefundRequest): PaymentRefundDecision {
  const parsed = parseForints(request.amount)
  if (!parsed.ok) return refused('AMOUNT_INVALID')
  const refusal = refusalOf(request)
  if (refusal !== undefined) return refused(refusal)
  const { refunds } = request
  const isWhole = parsed.amount.minor === request.creditedFt
  return refundToSource(
    {
      settled: forints(request.creditedFt),
      refunded: forints(goneFt(request)),
      canRefund: refunds === 'partial' || (refunds === 'whole' && isWhole),
      available: forints(request.freeFt),
    },
    { amount: parsed.amount, reason: request.reason },
  )
}
