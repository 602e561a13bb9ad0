import * as z from 'zod'
import { isReason, STAFF_REASON } from '#domain/billing/staff-reason.ts'
import { tidyText } from '#domain/users/contact.ts'
import { AmountFt, Id, Instant, WishedFt } from '../primitives.ts'

/** A payment's overall state for staff. */
export const PAYMENT_STANDINGS = [
  'created',
  'pending',
  'requires_action',
  'failed',
  'expired',
  'settled',
  'partially_refunded',
  'refunded',
  'disputed',
  'charged_back',
] as const

/**
 * A payment in staff's view. `refundableFt` is the amount that could be refunded to its source now, as far as the
 * payment allows.
 */
export const StaffPayment = z.object({
  id: Id,
  userId: Id,
  provider: z.string(),
  providerPaymentId: z.string().nullable(),
  kind: z.string(),
  amountFt: AmountFt,
  creditedFt: AmountFt,
  refundedFt: AmountFt,
  refundableFt: AmountFt,
  standing: z.enum(PAYMENT_STANDINGS),
  problem: z.string().nullable(),
  failureCode: z.string().nullable(),
  checks: z.int(),
  createdAt: Instant,
  settledAt: Instant.nullable(),
  refunds: z.array(
    z.object({
      id: Id,
      amountFt: AmountFt,
      state: z.enum(['requested', 'pending', 'succeeded', 'failed']),
      reason: z.string(),
      failureCode: z.string().nullable(),
      createdAt: Instant,
    }),
  ),
  dispute: z.enum(['none', 'open', 'lost', 'won']).optional(),
  /** Whether staff record its disputes' outcomes, because its provider does not report them. */
  mayCloseDispute: z.boolean().optional(),
  /** Charge-backs, and refunds on the provider's own pages; `won` and `returned` were given back. */
  takenBack: z
    .array(
      z.object({
        id: Id,
        kind: z.enum(['dispute', 'refund']),
        amountFt: AmountFt,
        fromWalletFt: AmountFt,
        debtFt: AmountFt,
        writtenOffFt: AmountFt,
        state: z.enum(['taken', 'won', 'returned']),
        createdAt: Instant,
      }),
    )
    .optional(),
})
export type StaffPayment = z.infer<typeof StaffPayment>
export const StaffPaymentPage = z.object({ items: z.array(StaffPayment), next: Id.nullable() })

/** `amount` is as stated by the provider: `minor` units of 10^-exponent of its currency, as text. */
export const UnmatchedPayment = z.object({
  id: Id,
  provider: z.string(),
  providerPaymentId: z.string(),
  kind: z.enum(['settlement', 'refund']),
  problem: z.string(),
  amount: z.object({ minor: z.string().regex(/^-?\d+$/), currency: z.string(), exponent: z.int() }),
  /** The amount to credit; null if staff have to enter it. */
  forwardedFt: AmountFt.nullable(),
  reference: z.string().nullable(),
  paymentId: Id.nullable(),
  userId: Id.nullable(),
  state: z.enum(['open', 'assigned', 'dismissed']),
  resolution: z.string().nullable(),
  creditedFt: AmountFt.nullable(),
  createdAt: Instant,
  /** The part of `amount.minor` that was reversed before the assignment. */
  wentBackMinor: z.string().regex(/^\d+$/).optional(),
  isDisputed: z.boolean().optional(),
  /** The maximum that staff may enter. */
  maximumFt: AmountFt.optional(),
})
export type UnmatchedPayment = z.infer<typeof UnmatchedPayment>
export const UnmatchedPaymentPage = z.object({ items: z.array(UnmatchedPayment), next: Id.nullable() })

/** Staff's reason for a movement: stored in the audit log and with the posting. */
export const StaffReason = z
  .string()
  .overwrite(tidyText)
  .min(STAFF_REASON.leastLetters)
  .max(STAFF_REASON.most)
  .refine(isReason)

export const StaffPaymentFilter = z.object({
  /**
   * `open`: neither settled nor failed; `problem`: needs a person; `taken-back`: by banks or on the provider's own
   * pages.
   */
  which: z.enum(['all', 'open', 'problem', 'disputed', 'taken-back']).default('all'),
  userId: Id.optional(),
})

/** `userId` null dismisses it: the money was sent back, or handled elsewhere. `amountFt` if none is known. */
export const AssignUnmatched = z.object({
  unmatchedId: Id,
  userId: Id.nullable(),
  amountFt: WishedFt.optional(),
  reason: StaffReason,
})
export const AssignedUnmatched = z.object({ state: z.enum(['assigned', 'dismissed']), creditedFt: AmountFt.nullable() })

export const RefundPayment = z.object({ paymentId: Id, amountFt: WishedFt, reason: StaffReason })
/** `proposed`: it is above the limit for one person. Nothing moved yet, and `refundId` is the proposal's. */
export const RefundedPayment = z.object({
  refundId: Id,
  state: z.enum(['requested', 'pending', 'succeeded', 'failed', 'proposed']),
})

export const WriteOffDebt = z.object({ userId: Id, reason: StaffReason })
export const WrittenOff = z.object({ amountFt: AmountFt })

/**
 * A dispute's outcome that a provider told staff but does not report to us. `amountFt` is the charged-back amount of a
 * payment without a known dispute, by default everything left. The response contains the amount moved.
 */
export const CloseDispute = z.object({
  paymentId: Id,
  outcome: z.enum(['won', 'lost']),
  amountFt: WishedFt.optional(),
  reason: StaffReason,
})
export const ClosedDispute = z.object({ dispute: z.enum(['none', 'open', 'lost', 'won']), amountFt: AmountFt })
