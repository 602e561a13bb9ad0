import * as z from 'zod'
import { PAYMENT_KINDS } from '#domain/payments/payment-kind.ts'
import { AmountFt, Id } from '../primitives.ts'
import { CardPageParameters } from './card-page.ts'

export const PaymentKind = z.enum(PAYMENT_KINDS)
export type PaymentKind = z.infer<typeof PaymentKind>

/** One tariff of a provider that forwards less than is paid: both amounts are shown before anything is sent. */
export const PaymentTariff = z.object({ kind: PaymentKind, paidFt: AmountFt, creditedFt: AmountFt, number: z.string() })
export type PaymentTariff = z.infer<typeof PaymentTariff>

/** A payment method in the top-up panel. With tariffs only their amounts can be paid. */
export const PaymentMethod = z.object({
  id: z.string(),
  sandbox: z.boolean(),
  // A control plane of the previous release sends only the two above.
  kinds: z.array(PaymentKind).default(['redirect']),
  minimumFt: AmountFt.default(500),
  maximumFt: AmountFt.default(1_000_000),
  tariffs: z.array(PaymentTariff).default([]),
})
export type PaymentMethod = z.infer<typeof PaymentMethod>

/** The customer's next step after a payment was opened. */
export const NextStep = z.discriminatedUnion('kind', [
  /** Redirects to a page of the provider. */
  z.object({ kind: z.literal('redirect'), url: z.url() }),
  /**
   * Pays on a page of ours, which loads the provider's script with these parameters. The secret is valid only for this
   * payment.
   */
  z.object({
    kind: z.literal('page'),
    path: z.string().startsWith('/dashboard/balance/'),
    parameters: CardPageParameters,
    secret: z.string(),
  }),
  /** Sends a message or calls. `text` is the message to send, or the code to type during the call. */
  z.object({
    kind: z.enum(['premium-sms', 'premium-call']),
    number: z.string(),
    text: z.string(),
    paidFt: AmountFt,
    creditedFt: AmountFt,
  }),
])
export type NextStep = z.infer<typeof NextStep>

/** The payment that a page polls: by its own id or by its statement line. */
export const TopupCheckRequest = z.object({ transaction: Id })

/** A top-up's state after a lookup at the provider; `next` while the customer can still act. */
export const TopupCheck = z.object({
  transactionId: Id,
  paymentId: Id,
  method: z.string(),
  status: z.enum(['processing', 'finished', 'failed']),
  amountFt: AmountFt,
  creditedFt: AmountFt,
  refundedFt: AmountFt,
  next: NextStep.nullable(),
})
export type TopupCheck = z.infer<typeof TopupCheck>
