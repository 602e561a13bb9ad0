import * as z from 'zod'
import { PAYMENT_KINDS } from '#domain/payments/payment-kind.ts'
import { AmountFt, Id } from '../primitives.ts'
import { CardPageParameters } from './card-page.ts'

export const PaymentKind = z.enum(PAYMENT_KINDS)
export type PaymentKind = z.infer<typeof PaymentKind>

/** One price of a provider that hands over less than is paid: both figures are told before anything is sent. */
export const PaymentTariff = z.object({ kind: PaymentKind, paidFt: AmountFt, creditedFt: AmountFt, number: z.string() })
export type PaymentTariff = z.infer<typeof PaymentTariff>

/** A way to pay, as the top-up panel offers it. With tariffs only their amounts can be paid. */
export const PaymentMethod = z.object({
  id: z.string(),
  sandbox: z.boolean(),
  // A control plane of the release before says only the two above.
  kinds: z.array(PaymentKind).default(['redirect']),
  minimumFt: AmountFt.default(500),
  maximumFt: AmountFt.default(1_000_000),
  tariffs: z.array(PaymentTariff).default([]),
})
export type PaymentMethod = z.infer<typeof PaymentMethod>

/** What the customer does after a payment was opened. */
export const NextStep = z.discriminatedUnion('kind', [
  /** Goes to a page of the provider. */
  z.object({ kind: z.literal('redirect'), url: z.url() }),
  /** Pays on a page of ours, which loads the provider's script: what it is started with. The secret is of this payment alone. */
  z.object({
    kind: z.literal('page'),
    path: z.string().startsWith('/dashboard/balance/'),
    parameters: CardPageParameters,
    secret: z.string(),
  }),
  /** Sends a message or calls. `text` is what to send, or the code to type during the call. */
  z.object({
    kind: z.enum(['premium-sms', 'premium-call']),
    number: z.string(),
    text: z.string(),
    paidFt: AmountFt,
    creditedFt: AmountFt,
  }),
])
export type NextStep = z.infer<typeof NextStep>

/** The payment that a page asks about: by its own id or by its line of the statement. */
export const TopupCheckRequest = z.object({ transaction: Id })

/** How a top-up stands after the provider was asked; `next` while there is something left for the customer to do. */
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
