import { forints, type Money } from '../billing/money.ts'
import type { Dispute, PaymentState } from './payment-state.ts'
import { refundToSource, type REFUND_REFUSALS } from '../billing/refund.ts'
import { parseForints } from './top-up.ts'

/** Why a payment sends nothing back: what the payment itself says, then what `refundToSource` says of the amount. */
export type PaymentRefundRefusal = 'NOT_FOUND' | 'NOT_SETTLED' | 'DISPUTED' | (typeof REFUND_REFUSALS)[number]

export type PaymentRefundRequest = {
  readonly state: PaymentState
  readonly dispute: Dispute
  readonly creditedFt: bigint
  /** What went back or is on its way, by refunds of ours, and what the provider counts. */
  readonly refundedFt: bigint
  readonly refundedAtProviderFt: bigint
  /** Money of the wallet that nothing holds. A bonus is no money and never leaves. */
  readonly freeFt: bigint
  readonly refunds: 'none' | 'whole' | 'partial'
  readonly amount: unknown
  readonly reason: string
}

export type PaymentRefundDecision =
  { readonly ok: true; readonly amount: Money } | { readonly ok: false; readonly code: PaymentRefundRefusal }

const refused = (code: PaymentRefundRefusal): PaymentRefundDecision => ({ ok: false, code })

type Standing = Omit<PaymentRefundRequest, 'freeFt' | 'amount' | 'reason'>

/** Why a payment sends nothing back, whatever is asked for. */
function refusalOf({ state, dispute }: Standing): 'NOT_SETTLED' | 'DISPUTED' | undefined {
  if (state !== 'settled') return 'NOT_SETTLED'
  return dispute === 'open' || dispute === 'lost' ? 'DISPUTED' : undefined
}

/** What went back, by our count or by the provider's, whichever is more. */
const goneFt = ({ refundedFt: ours, refundedAtProviderFt: theirs }: Standing): bigint => (ours > theirs ? ours : theirs)

/** The most that a payment can send back now, in forints; a provider that sends back whole payments alone sends nothing after a part. */
export function refundableFt(payment: Standing): bigint {
  const gone = goneFt(payment)
  if (refusalOf(payment) !== undefined || payment.refunds === 'none') return 0n
  if (payment.refunds === 'whole' && gone > 0n) return 0n
  return gone < payment.creditedFt ? payment.creditedFt - gone : 0n
}

/**
 * Decides whether staff may send money of a payment back to its source: never more than came in, by our count and by the
 * provider's (I8), never what was spent, and nothing while a bank decides about it.
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
