import { inHouseUnits, type ObservedAmount } from './payment-amount.ts'

export const PAYMENT_PROBLEMS = [
  'UNKNOWN_PAYMENT',
  'REFERENCE_MISMATCH',
  'CURRENCY_MISMATCH',
  'AMOUNT_MISMATCH',
  'SECOND_SETTLEMENT',
  'FOREIGN_REFUND',
  'ERASED_ACCOUNT',
] as const
export type PaymentProblem = (typeof PAYMENT_PROBLEMS)[number]

export type ExpectedPayment = { readonly id: string; readonly amountFt: bigint; readonly creditedFt: bigint }

export type StatedPayment = {
  readonly reference: string | null
  readonly amount: ObservedAmount
  readonly forwarded?: ObservedAmount | undefined
}

/**
 * Why money that a provider confirms does not belong to our payment, or null (T09): it names another payment, is of another
 * currency, or is not what the customer was to pay and to be credited with. Such money is parked and never credited by itself.
 */
export function mismatchOf(expected: ExpectedPayment, stated: StatedPayment): PaymentProblem | null {
  if (stated.reference !== expected.id) return 'REFERENCE_MISMATCH'
  const handedOver = stated.forwarded ?? stated.amount
  if (stated.amount.currency !== 'HUF' || handedOver.currency !== 'HUF') return 'CURRENCY_MISMATCH'
  if (inHouseUnits(stated.amount, 'HUF') !== expected.amountFt) return 'AMOUNT_MISMATCH'
  return inHouseUnits(handedOver, 'HUF') === expected.creditedFt ? null : 'AMOUNT_MISMATCH'
}
