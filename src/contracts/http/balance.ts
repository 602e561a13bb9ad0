import * as z from 'zod'
import { AmountFt, Id, Instant, TermsVersion } from '../primitives.ts'

export const TOPUP_MINIMUM_FT = 500
export const TOPUP_MAXIMUM_FT = 1_000_000

/** `balanceFt` = money + bonus without what open orders hold. */
export const Balance = z.object({
  balanceFt: AmountFt,
  moneyFt: AmountFt,
  bonusFt: AmountFt,
  heldFt: AmountFt,
  methods: z.array(z.object({ id: z.string(), sandbox: z.boolean() })),
})
export type Balance = z.infer<typeof Balance>

/** `amount` is a JSON number of whole forints; strings are refused so that nobody guesses what "10,5" means. */
export const TopupRequest = z.object({
  amount: z.number(),
  method: z.string().max(32),
  acceptTerms: z.boolean(),
  termsVersion: TermsVersion.optional(),
})
export type TopupRequest = z.infer<typeof TopupRequest>
export const TopupAnswer = z.object({ transactionId: Id, redirectUrl: z.string() })

export const TRANSACTION_TYPES = [
  'top-up',
  'order',
  'renewal',
  'server modification',
  'premium',
  'spin',
  'prize',
  'coupon',
  'refund',
  'correction',
] as const
export const TRANSACTION_STATES = ['processing', 'finished', 'failed'] as const

/** The Transaction entity of specification section 3. `amount` is signed: what the balance gained or lost. */
export const Transaction = z.object({
  id: Id,
  amount: AmountFt,
  type: z.enum(TRANSACTION_TYPES),
  paymentType: z.string(),
  status: z.enum(TRANSACTION_STATES),
  reason: z.string(),
  document: z.object({
    kind: z.enum(['order', 'payment', 'invoice', 'renewal', 'modification', 'none']),
    id: z.string(),
  }),
  refundedFt: AmountFt,
  createdAt: Instant,
})
export type Transaction = z.infer<typeof Transaction>
export const TransactionPage = z.object({ items: z.array(Transaction), next: z.string().nullable() })

/** The Invoice entity of specification section 3. */
export const Invoice = z.object({
  id: Id,
  number: z.string(),
  status: z.enum(['issued', 'paid', 'storno', 'corrected']),
  totalFt: AmountFt,
  downloadUrl: z.string(),
  createdAt: Instant,
})
