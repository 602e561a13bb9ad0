import * as z from 'zod'
import { AmountFt, Id, Instant } from '../primitives.ts'

/** The cause of a balance change, finer than the line's type: each has its sentence in the catalogs. */
export const TRANSACTION_CAUSES = [
  'top-up',
  'top-up-assigned',
  'order',
  'renewal',
  'renewal-automatic',
  'modification',
  'premium',
  'spins',
  'prize',
  'coupon',
  'refund',
  /** A refund of a purchase, to the balance. */
  'given-back',
  'charge-back',
  'dispute-won',
  'debt-paid',
  'account-closed',
  'correction',
] as const

const part = <Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) =>
  z.object({ kind: z.literal(kind), amountFt: AmountFt, ...shape })

/** A step in the calculation of the amount. The steps add up to the line's amount without its sign. */
export const FormulaPart = z.discriminatedUnion('kind', [
  part('months', { monthlyFt: AmountFt, months: z.int() }),
  /** `key` is a resource, or `points`. */
  part('resource', { key: z.string(), quantity: z.number(), monthlyFt: AmountFt, months: z.int() }),
  /** The percentage if it is known for certain. */
  part('premium-discount', { percent: z.int().nullable() }),
  part('coupon', { code: z.string() }),
  /** An upgrade for the rest of a paid time: the difference of the monthly prices over the remaining days, of 30. */
  part('days-charged', { fromMonthlyFt: AmountFt, toMonthlyFt: AmountFt, days: z.number() }),
  /** A downgrade refunds a part of what was paid for the remaining time. */
  part('days-returned', { fromMonthlyFt: AmountFt, toMonthlyFt: AmountFt, days: z.number() }),
  part('each', { count: z.int(), eachFt: AmountFt }),
  /** The amount paid at a provider, and the provider's fee. */
  part('paid', {}),
  part('provider-share', {}),
  /** A bank's charge-back or its return, and its part that was a debt. */
  part('disputed', {}),
  part('debt', {}),
  /** The part of a premium price kept after a withdrawal: for used days, used free spins, and obtained discounts. */
  part('kept-used', {}),
  part('kept-spins', {}),
  part('kept-discounts', {}),
  /** A fixed price or prize. */
  part('flat', {}),
])
export type FormulaPart = z.infer<typeof FormulaPart>

export const ServerSize = z.object({ cpuPercent: z.int(), memoryMiB: z.int(), storageMiB: z.int() })
export type ServerSize = z.infer<typeof ServerSize>

/**
 * `GET /api/balance/transactions/{id}`: cause, period, formula and documents of a line, as data; the page has the
 * texts.
 */
export const TransactionDetail = z.object({
  id: Id,
  cause: z.enum(TRANSACTION_CAUSES),
  /** The payment method, for payments and their refunds. */
  method: z.string().nullable(),
  /** The provider's own id of the payment. */
  providerReference: z.string().nullable(),
  /** The purchased product, in the caller's language. */
  product: z.string().nullable(),
  /** The server's size at that time, and after a resize. */
  size: ServerSize.nullable(),
  newSize: ServerSize.nullable(),
  period: z.object({ start: Instant, end: Instant }).nullable(),
  formula: z.array(FormulaPart),
  /** `isThere` is false for a deleted one. */
  server: z.object({ id: Id, name: z.string(), isThere: z.boolean() }).nullable(),
  /** The line of the payment itself, for its later movements. */
  paymentLineId: Id.nullable(),
  /** The reason, in the words of the administrator. */
  reason: z.string().nullable(),
  documents: z.array(
    z.object({
      id: Id,
      number: z.string(),
      kind: z.enum(['invoice', 'storno', 'correction']),
      downloadUrl: z.string(),
    }),
  ),
})
export type TransactionDetail = z.infer<typeof TransactionDetail>
export const TransactionPath = z.object({ id: Id })
