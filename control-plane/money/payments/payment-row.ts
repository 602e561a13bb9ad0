import type { Locale } from '#contracts/locale.ts'
import { inHouseUnits } from '#domain/payments/payment-amount.ts'
import type { Dispute, PaymentFacts, PaymentState } from '#domain/payments/payment-state.ts'
import type { WatchedPayment } from '#domain/payments/payment-window.ts'
import type { ObservedPayment } from './payment-provider.ts'
import type { HeldMoney } from './take-back.ts'

export type PaymentRow = {
  readonly id: string
  readonly user_id: string
  readonly provider: string
  readonly provider_payment_id: string | null
  readonly amount_ft: bigint
  /** Null in rows of the previous release: the full amount. */
  readonly credited_ft: bigint | null
  readonly state: PaymentState
  readonly refunded_ft: bigint
  readonly dispute: Dispute
  readonly problem: string | null
  readonly checks: number
  readonly failures: number
  readonly open_until: Date | null
  readonly looked_at: Date | null
  readonly created_at: Date
  readonly request_id: string
  readonly locale: Locale
}

export const SELECT_PAYMENT = `select id, user_id, provider, provider_payment_id, amount_ft, credited_ft, state, refunded_ft,
  dispute, problem, checks, failures, open_until, looked_at, created_at, request_id, locale from control.payments`

export const creditedOf = (payment: Pick<PaymentRow, 'amount_ft' | 'credited_ft'>): bigint =>
  payment.credited_ft ?? payment.amount_ft

/** The credited money of a settled payment. */
export const heldOf = (payment: PaymentRow): HeldMoney => ({
  documentId: payment.id,
  paymentId: payment.id,
  userId: payment.user_id,
  provider: payment.provider,
  providerPaymentId: payment.provider_payment_id ?? payment.id,
  creditedFt: creditedOf(payment),
  requestId: payment.request_id,
})

export const factsOf = ({ state, refunded_ft: refundedFt, dispute }: PaymentRow): PaymentFacts => ({
  state,
  refundedFt,
  dispute,
})

export const watchOf = (payment: PaymentRow): WatchedPayment => ({
  createdAtMs: payment.created_at.getTime(),
  openUntilMs: payment.open_until?.getTime() ?? null,
  checks: payment.checks,
})

/** The provider's data in forints. Reversals in a unit that is not a whole number of forints are ignored. */
export function observedFacts({ state, amount, refundedMinor, dispute }: ObservedPayment): PaymentFacts {
  return { state, refundedFt: inHouseUnits({ ...amount, minor: refundedMinor }, 'HUF') ?? 0n, dispute }
}
