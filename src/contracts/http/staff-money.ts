import * as z from 'zod'
import { MANUAL_DIRECTIONS, MAX_MANUAL_FT, MONEY_BUCKETS, PROPOSAL_STATES } from '#domain/payments/manual-credit.ts'
import { TRANSACTION_STATES, TRANSACTION_TYPES, Transaction } from './balance.ts'
import { AmountFt, Id, Instant } from '../primitives.ts'
import { StaffReason } from './staff-payments.ts'

/** The amount that staff enter: whole forints above zero. */
export const TypedFt = z.int().min(1).max(MAX_MANUAL_FT)

/** A manual movement of a balance. `withDebt`: the uncovered part of a debit becomes a debt. */
export const ManualCredit = z.object({
  userId: Id,
  direction: z.enum(MANUAL_DIRECTIONS),
  amountFt: TypedFt,
  bucket: z.enum(MONEY_BUCKETS),
  withDebt: z.boolean().default(false),
  reason: StaffReason,
})

/** `proposed`: nothing moved yet, `id` is the proposal's and `expiresAt` its end. */
export const ManualCreditAnswer = z.object({
  state: z.enum(['done', 'proposed']),
  id: Id,
  expiresAt: Instant.nullable(),
})
export type ManualCreditAnswer = z.infer<typeof ManualCreditAnswer>

/** A proposal for an approver, open or decided. `paymentId` if it is a refund to its source. */
export const MoneyProposal = z.object({
  id: Id,
  act: z.enum(['credit', 'refund']),
  userId: Id,
  direction: z.enum(MANUAL_DIRECTIONS),
  bucket: z.enum(MONEY_BUCKETS),
  amountFt: AmountFt,
  withDebt: z.boolean(),
  paymentId: Id.nullable(),
  reason: z.string(),
  state: z.enum(PROPOSAL_STATES),
  proposedBy: Id,
  decidedBy: Id.nullable(),
  note: z.string(),
  createdAt: Instant,
  expiresAt: Instant,
  decidedAt: Instant.nullable(),
})
export type MoneyProposal = z.infer<typeof MoneyProposal>
/** `limitFt` is the amount that one person may move alone. */
export const MoneyProposalPage = z.object({
  items: z.array(MoneyProposal),
  next: Id.nullable(),
  limitFt: AmountFt,
})

export const ProposalDecision = z.object({
  decision: z.enum(['confirm', 'refuse']),
  note: z.string().trim().max(500).default(''),
})
export const DecidedProposal = z.object({ state: z.enum(['confirmed', 'refused']) })

const Day = z.iso.date()

export const StaffTransactionFilter = z.object({
  userId: Id.optional(),
  type: z.enum(TRANSACTION_TYPES).optional(),
  status: z.enum(TRANSACTION_STATES).optional(),
  /** The payment method, as in `paymentType`. */
  provider: z.string().max(32).optional(),
  from: Day.optional(),
  to: Day.optional(),
})
export const StaffTransaction = Transaction.extend({ userId: Id })
export type StaffTransaction = z.infer<typeof StaffTransaction>
export const StaffTransactionPage = z.object({ items: z.array(StaffTransaction), next: Id.nullable() })

/** `ownerId` null is the house. Amounts are signed, as in the books. */
export const LedgerAccount = z.object({
  id: Id,
  kind: z.string(),
  ownerId: Id.nullable(),
  provider: z.string(),
  balanceFt: AmountFt,
  heldFt: AmountFt,
  entries: z.int(),
})
export type LedgerAccount = z.infer<typeof LedgerAccount>
export const LedgerAccountFilter = z.object({ userId: Id.optional(), kind: z.string().max(32).optional() })
export const LedgerAccountPage = z.object({ items: z.array(LedgerAccount), next: Id.nullable() })

/** The document of a movement, named beside its id. */
export type LedgerDocument =
  'order' | 'renewal' | 'modification' | 'payment' | 'grant' | 'correction' | 'refund' | 'premium' | 'spins' | 'spin'

export const LedgerEntry = z.object({
  accountId: Id,
  kind: z.string(),
  ownerId: Id.nullable(),
  provider: z.string(),
  seq: z.int(),
  transactionId: Id,
  what: z.string(),
  amountFt: AmountFt,
  /** The account's balance after it. */
  balanceFt: AmountFt,
  reason: z.string(),
  refType: z.string(),
  refId: z.string(),
  actor: z.string(),
  createdAt: Instant,
})
export type LedgerEntry = z.infer<typeof LedgerEntry>

/**
 * `before`: a number in the entries of one account, else `<transaction>/<account>`, as returned by the previous page.
 */
export const LedgerFilter = z.object({
  accountId: Id.optional(),
  userId: Id.optional(),
  kind: z.string().max(32).optional(),
  reference: z.string().max(128).optional(),
  day: Day.optional(),
  before: z
    .string()
    .regex(/^(\d{1,18}|[0-9a-f-]{36}\/[0-9a-f-]{36})$/)
    .optional(),
})
export const LedgerEntryPage = z.object({ items: z.array(LedgerEntry), next: z.string().nullable() })

/** The daily totals of an account kind, in the house's time zone. */
export const LedgerDay = z.object({
  day: Day,
  kind: z.string(),
  inFt: AmountFt,
  outFt: AmountFt,
  entries: z.int(),
})
export type LedgerDay = z.infer<typeof LedgerDay>
export const LedgerDays = z.object({ items: z.array(LedgerDay) })

/** Currently violated rules of the books, and the time up to which all entries are known to be right. */
export const LedgerAudit = z.object({
  checkedAt: Instant.nullable(),
  broken: z.array(z.object({ rule: z.string(), rows: z.int(), subject: z.string() })),
})
export type LedgerAudit = z.infer<typeof LedgerAudit>

/** A customer in debt, the largest debt first. */
export const Debt = z.object({ userId: Id, debtFt: AmountFt, moneyFt: AmountFt, since: Instant.nullable() })
export type Debt = z.infer<typeof Debt>
export const DebtList = z.object({ items: z.array(Debt) })
