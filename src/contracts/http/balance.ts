import * as z from 'zod'
import { INVOICE_FORMS, INVOICE_KINDS, INVOICE_STATES } from '#domain/billing/invoice.ts'
import { AmountFt, Id, Instant, TermsVersion, WishedFt } from '../primitives.ts'
import { NextStep, PaymentKind, PaymentMethod } from './payment.ts'

export const TOPUP_MINIMUM_FT = 500
export const TOPUP_MAXIMUM_FT = 1_000_000

/** A server with a monthly price. */
export const RenewingServer = z.object({
  id: Id,
  name: z.string(),
  identifier: z.string(),
  monthlyPriceFt: AmountFt,
  expiry: Instant,
})

/**
 * `balanceFt` = money + bonus without the holds of open orders; none of it can be spent while `debtFt` is left. A
 * control plane of the previous release reports neither the debt nor the renewals.
 */
export const Balance = z.object({
  balanceFt: AmountFt,
  moneyFt: AmountFt,
  bonusFt: AmountFt,
  heldFt: AmountFt,
  debtFt: AmountFt.default(0),
  renewing: z.array(RenewingServer).optional(),
  renewalDiscount: z.object({ percent: z.int(), until: Instant.nullable() }).nullable().default(null),
  methods: z.array(PaymentMethod),
})
export type Balance = z.infer<typeof Balance>

/** `amount` is a JSON number of whole forints; strings are refused, so that nobody has to guess what "10,5" means. */
export const TopupRequest = z.object({
  amount: WishedFt,
  method: z.string().max(32),
  /** One of the method's kinds; its first one by default. */
  kind: PaymentKind.optional(),
  acceptTerms: z.boolean(),
  termsVersion: TermsVersion.optional(),
})
export type TopupRequest = z.infer<typeof TopupRequest>

/** `redirectUrl` is the next page: the provider's, or one of ours. `next` is absent if that page fetches it. */
export const TopupAnswer = z.object({ transactionId: Id, redirectUrl: z.string(), next: NextStep.optional() })

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

/** The Transaction entity of specification section 3. `amount` is signed: the change of the balance. */
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

/**
 * A transaction in the list: the balance after it, null if it does not move the balance (yet); its server; the
 * purchased months. A control plane of the previous release sends none of them.
 */
export const StatementEntry = Transaction.extend({
  balanceAfterFt: AmountFt.nullable().default(null),
  server: z.object({ id: Id, name: z.string(), identifier: z.string() }).nullable().default(null),
  months: z.int().nullable().default(null),
})
export type StatementEntry = z.infer<typeof StatementEntry>
export const TransactionPage = z.object({ items: z.array(StatementEntry), next: z.string().nullable() })

/** The customer's filter of transactions. */
export const TRANSACTION_GROUPS = ['top-up', 'server', 'credit'] as const
export const TransactionFilter = z.object({ group: z.enum(TRANSACTION_GROUPS).optional() })
export type TransactionGroup = (typeof TRANSACTION_GROUPS)[number]

/**
 * The Invoice entity of specification section 3. `what` names the purchase, in the document's language; a storno has a
 * negative total, and it and its invoice refer to each other by number.
 */
export const Invoice = z.object({
  id: Id,
  number: z.string(),
  kind: z.enum(INVOICE_KINDS),
  form: z.enum(INVOICE_FORMS),
  status: z.enum(INVOICE_STATES),
  totalFt: AmountFt,
  netFt: AmountFt,
  vatFt: AmountFt,
  /** The description in the reader's language. Documents of earlier releases have it in their own language alone. */
  what: z.string(),
  stornoOf: z.string().nullable(),
  stornoBy: z.string().nullable(),
  /** The number of the corrected invoice, and those of an invoice's corrections. */
  correctionOf: z.string().nullable().default(null),
  correctedBy: z.array(z.string()).default([]),
  downloadUrl: z.string(),
  createdAt: Instant,
})
export type Invoice = z.infer<typeof Invoice>
export const InvoicePage = z.object({ items: z.array(Invoice), next: z.string().nullable() })
export type InvoicePage = z.infer<typeof InvoicePage>
export const InvoicePath = z.object({ id: Id })
