import * as z from 'zod'
import { AmountFt, Id, Instant, SeenFt } from '../primitives.ts'

export const WITHDRAWAL_KINDS = ['order', 'renewal', 'premium'] as const

/** A contract, by the document that concluded it. */
export const WithdrawalSubject = z.object({ kind: z.enum(WITHDRAWAL_KINDS), documentId: Id })
export type WithdrawalSubject = z.infer<typeof WithdrawalSubject>

/**
 * A contract that can be withdrawn from, and what that does now. Whole forints, tax included: `backFt` comes back to the balance, of
 * which `bonusFt` as bonus, and `keptFt` is kept for what was used.
 */
export const WithdrawalOffer = z.object({
  ...WithdrawalSubject.shape,
  /** Null for a premium tier. */
  serverId: Id.nullable(),
  product: z.string(),
  serverName: z.string().nullable(),
  concludedAt: Instant,
  /** The first moment at which it is too late. */
  deadline: Instant,
  paidFt: AmountFt,
  backFt: AmountFt,
  bonusFt: AmountFt,
  keptFt: AmountFt,
  /** Of `keptFt`: for the free spins of a premium tier that were used, and for discounts that were had by it. */
  keptSpinsFt: AmountFt.default(0),
  keptDiscountsFt: AmountFt.default(0),
  /** When the paid time ends then, and when the server is deleted; null for a premium tier. */
  endsAt: Instant,
  endsNow: z.boolean(),
  deletionAt: Instant.nullable(),
  /** When the first step was taken. */
  begunAt: Instant.nullable(),
  /** A renewal that came later is withdrawn from first. */
  laterRenewalFirst: z.boolean(),
})
export type WithdrawalOffer = z.infer<typeof WithdrawalOffer>

/** Those whose time is not over, newest first. */
export const WithdrawalOffers = z.object({ items: z.array(WithdrawalOffer) })

/** `expectedBackFt` is what the customer saw; another amount answers PRICE_CHANGED. */
export const WithdrawalConfirmation = z.object({ ...WithdrawalSubject.shape, expectedBackFt: SeenFt.optional() })
export type WithdrawalConfirmation = z.infer<typeof WithdrawalConfirmation>

export const WithdrawalReceipt = z.object({
  id: Id,
  confirmedAt: Instant,
  backFt: AmountFt,
  keptFt: AmountFt,
  endsAt: Instant,
  deletionAt: Instant.nullable(),
})
export type WithdrawalReceipt = z.infer<typeof WithdrawalReceipt>
