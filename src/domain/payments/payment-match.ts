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
 * Why confirmed money does not belong to our payment, or null (T09): it names another payment, has another currency, or
 * differs from the expected price and credit. Such money is kept for staff and never credited automatically.
 */
export function mismatchOf(expected: ExpectedPayment, stated: StatedPayment): PaymentProblem | null {
  if (stated.reference !== expected.id) return 'REFERENCE_MISMATCH'
  const handedOver = stated.forwarded ?? stated.amount
  if (stated.amount.currency !== 'HUF' || handedOver.currency !== 'HUF') return 'CURRENCY_MISMATCH'
  if (inHouseUnits(stated.amount, 'HUF') !== expected.amountFt) return 'AMOUNT_MISMATCH'
  return inHouseUnits(handedOver, 'HUF') === expected.creditedFt ? null : 'AMOUNT_MISMATCH'
}
