import * as z from 'zod'
import type { ObservedAmount } from '#domain/payments/payment-amount.ts'
import type { Dispute } from '#domain/payments/payment-state.ts'
import type { RefundProgress, SeenRefund } from '#domain/payments/reversal.ts'
import { AppError } from '../../../../platform/app-error.ts'
import type { ObservedPayment } from '../../payment-provider.ts'

export const PaypalMoney = z.object({
  currency_code: z.string(),
  value: z.string().regex(/^\d{1,15}(\.\d{1,4})?$/),
})
type PaypalMoney = z.infer<typeof PaypalMoney>

const Refund = z.object({
  id: z.string(),
  status: z.string(),
  amount: PaypalMoney,
  custom_id: z.string().optional(),
  status_details: z.object({ reason: z.string().optional() }).optional(),
})
export type PaypalRefund = z.infer<typeof Refund>

const Capture = z.object({
  id: z.string(),
  status: z.string(),
  amount: PaypalMoney,
  status_details: z.object({ reason: z.string().optional() }).optional(),
})

const Unit = z.object({
  custom_id: z.string().optional(),
  amount: PaypalMoney,
  payments: z.object({ captures: z.array(Capture).default([]), refunds: z.array(Refund).default([]) }).optional(),
})

const Order = z.object({
  id: z.string(),
  status: z.string(),
  update_time: z.string().optional(),
  purchase_units: z.tuple([Unit]),
  links: z.array(z.object({ rel: z.string(), href: z.url() })).default([]),
})
export type PaypalOrder = z.infer<typeof Order>

export const readRefund = (body: unknown): PaypalRefund => readAs(Refund, body)
export const readOrder = (body: unknown): PaypalOrder => readAs(Order, body)

/** Parses a response of PayPal; an unknown format is a temporary failure. */
export function readAs<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const read = schema.safeParse(body)
  if (read.success) return read.data
  const place = read.error.issues[0]?.path.map(String).join('.') ?? ''
  throw new AppError('PROVIDER_FAILURE', `PayPal: ${place} is not readable`, { retryable: true })
}

/** `1990` counts whole forints, `1990.00` hundredths: the number of digits is part of the value. */
export function amountOf({ value, currency_code: currency }: PaypalMoney): ObservedAmount {
  const [whole = '', decimals = ''] = value.split('.')
  return { minor: BigInt(whole + decimals), currency, exponent: decimals.length }
}

/** Converts a part to the unit of the whole. */
export const inUnitOf = ({ exponent }: ObservedAmount, amount: ObservedAmount): bigint => {
  const shift = exponent - amount.exponent
  // A part in finer units than the whole is rounded up, so that a refund is never understated.
  return shift >= 0
    ? amount.minor * 10n ** BigInt(shift)
    : (amount.minor + 10n ** BigInt(-shift) - 1n) / 10n ** BigInt(-shift)
}

const HELD = ['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED']
const REFUSED = ['DECLINED', 'FAILED']
const DISPUTED = ['BUYER_COMPLAINT', 'CHARGEBACK']

type Captures = readonly z.infer<typeof Capture>[]

/** PENDING is not paid (T13). An approved order waits for our capture. */
function stateOf({ status }: PaypalOrder, captures: Captures): ObservedPayment['state'] {
  if (captures.some((capture) => HELD.includes(capture.status))) return 'settled'
  if (captures.length > 0) return captures.every((capture) => REFUSED.includes(capture.status)) ? 'failed' : 'pending'
  return status === 'VOIDED' ? 'expired' : 'pending'
}

/** A capture shows that the money is disputed, but not the outcome. */
const disputeOf = (captures: Captures): Dispute =>
  captures.some(({ status_details: details }) => DISPUTED.includes(details?.reason ?? '')) ? 'open' : 'none'

const REFUND_STATES: Readonly<Record<string, RefundProgress>> = {
  COMPLETED: 'succeeded',
  FAILED: 'failed',
  CANCELLED: 'failed',
}

export const refundStateOf = ({ status }: PaypalRefund): RefundProgress => REFUND_STATES[status] ?? 'pending'

/** Our refunds carry our id. A fully refunded capture may list none: it then counts as one refund without an id. */
function refundsIn(refunds: readonly PaypalRefund[], amount: ObservedAmount, isWhole: boolean): SeenRefund[] {
  const seen = refunds.map((refund) => ({
    id: refund.id,
    refundId: refund.custom_id ?? null,
    minor: inUnitOf(amount, amountOf(refund.amount)),
    state: refundStateOf(refund),
  }))
  return isWhole && seen.length === 0 ? [{ id: '', refundId: null, minor: amount.minor, state: 'succeeded' }] : seen
}

/** The order as the core's type. The captured amount is the paid one, whatever the order's amount is. */
export function observeOrder(order: PaypalOrder): ObservedPayment {
  const [unit] = order.purchase_units
  const { captures = [], refunds = [] } = unit.payments ?? {}
  const paid = captures.find(({ status }) => HELD.includes(status)) ?? captures.at(-1)
  const amount = amountOf(paid?.amount ?? unit.amount)
  const sent = refunds
    .filter(({ status }) => status === 'COMPLETED')
    .map((refund) => inUnitOf(amount, amountOf(refund.amount)))
  const listed = sent.reduce((sum, part) => sum + part, 0n)
  return {
    state: stateOf(order, captures),
    amount,
    reference: unit.custom_id ?? null,
    refundedMinor: paid?.status === 'REFUNDED' ? amount.minor : listed,
    dispute: disputeOf(captures),
    refunds: refundsIn(refunds, amount, paid?.status === 'REFUNDED'),
    failureCode: paid?.status_details?.reason ?? (paid && REFUSED.includes(paid.status) ? paid.status : null),
  }
}

/** The capture with the money, or undefined. */
export const captureOf = ({ purchase_units: [unit] }: PaypalOrder): string | undefined =>
  unit.payments?.captures.find(({ status }) => HELD.includes(status))?.id

export const refundsOf = ({ purchase_units: [unit] }: PaypalOrder): readonly PaypalRefund[] =>
  unit.payments?.refunds ?? []

/** The approval page for the customer. */
export const approvalOf = ({ links }: PaypalOrder): string | undefined =>
  links.find(({ rel }) => rel === 'payer-action' || rel === 'approve')?.href
