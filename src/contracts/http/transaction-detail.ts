import * as z from 'zod'
import { AmountFt, Id, Instant } from '../primitives.ts'

/** What moved the balance, finer than the type of the line: each has its sentence in the catalogs. */
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
  /** Of something that was bought, to the balance. */
  'given-back',
  'charge-back',
  'dispute-won',
  'debt-paid',
  'account-closed',
  'correction',
] as const

const part = <Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) =>
  z.object({ kind: z.literal(kind), amountFt: AmountFt, ...shape })

/** A step of how the amount came about. Together the steps are the amount of the line without its sign. */
export const FormulaPart = z.discriminatedUnion('kind', [
  part('months', { monthlyFt: AmountFt, months: z.int() }),
  /** `key` is a resource, or `points`. */
  part('resource', { key: z.string(), quantity: z.number(), monthlyFt: AmountFt, months: z.int() }),
  /** The percentage where it is known for certain. */
  part('premium-discount', { percent: z.int().nullable() }),
  part('coupon', { code: z.string() }),
  /** More for the rest of a paid time: the difference of the monthly prices over the days that were left, of 30. */
  part('days-charged', { fromMonthlyFt: AmountFt, toMonthlyFt: AmountFt, days: z.number() }),
  /** Less for the rest of a paid time: out of what was paid for it. */
  part('days-returned', { fromMonthlyFt: AmountFt, toMonthlyFt: AmountFt, days: z.number() }),
  part('each', { count: z.int(), eachFt: AmountFt }),
  /** What was paid at a provider, and what it keeps of it. */
  part('paid', {}),
  part('provider-share', {}),
  /** What a bank took back or gave back, and what of it was a debt. */
  part('disputed', {}),
  part('debt', {}),
  /** What a withdrawal from premium kept of its price: for used days, for free spins that were used, for discounts that were had. */
  part('kept-used', {}),
  part('kept-spins', {}),
  part('kept-discounts', {}),
  /** A price or a prize as it stood. */
  part('flat', {}),
])
export type FormulaPart = z.infer<typeof FormulaPart>

export const ServerSize = z.object({ cpuPercent: z.int(), memoryMiB: z.int(), storageMiB: z.int() })
export type ServerSize = z.infer<typeof ServerSize>

/** `GET /api/balance/transactions/{id}`: cause, period, formula and documents of a line, as data; the page has the words. */
export const TransactionDetail = z.object({
  id: Id,
  cause: z.enum(TRANSACTION_CAUSES),
  /** The way to pay, of what came or went by one. */
  method: z.string().nullable(),
  /** The provider's own id of the payment. */
  providerReference: z.string().nullable(),
  /** What was bought, in the caller's language. */
  product: z.string().nullable(),
  /** The size of the server then, and after a change of it. */
  size: ServerSize.nullable(),
  newSize: ServerSize.nullable(),
  period: z.object({ start: Instant, end: Instant }).nullable(),
  formula: z.array(FormulaPart),
  /** `isThere` is false of one that is deleted. */
  server: z.object({ id: Id, name: z.string(), isThere: z.boolean() }).nullable(),
  /** The payment's own line, of what came of it later. */
  paymentLineId: Id.nullable(),
  /** In the words of who decided it. */
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
