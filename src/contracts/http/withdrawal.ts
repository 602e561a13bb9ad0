import * as z from 'zod'
import { AmountFt, Id, Instant, SeenFt } from '../primitives.ts'

export const WITHDRAWAL_KINDS = ['order', 'renewal', 'premium'] as const

/** A contract, by the document that concluded it. */
export const WithdrawalSubject = z.object({ kind: z.enum(WITHDRAWAL_KINDS), documentId: Id })
export type WithdrawalSubject = z.infer<typeof WithdrawalSubject>

/**
 * A contract that can be withdrawn from, and the current effect. Whole forints, tax included: `backFt` is refunded to
 * the balance, of which `bonusFt` as bonus, and `keptFt` is kept for the used part.
 */
export const WithdrawalOffer = z.object({
  ...WithdrawalSubject.shape,
  /** Null for a premium tier. */
  serverId: Id.nullable(),
  product: z.string(),
  serverName: z.string().nullable(),
  concludedAt: Instant,
  /** The first time at which it is too late. */
  deadline: Instant,
  paidFt: AmountFt,
  backFt: AmountFt,
  bonusFt: AmountFt,
  keptFt: AmountFt,
  /** The part of `keptFt` for used free spins of a premium tier, and for discounts obtained with it. */
  keptSpinsFt: AmountFt.default(0),
  keptDiscountsFt: AmountFt.default(0),
  /** When the paid time would end, and when the server would be deleted; null for a premium tier. */
  endsAt: Instant,
  endsNow: z.boolean(),
  deletionAt: Instant.nullable(),
  /** When the first step was taken. */
  begunAt: Instant.nullable(),
  /** A later renewal has to be withdrawn from first. */
  laterRenewalFirst: z.boolean(),
})
export type WithdrawalOffer = z.infer<typeof WithdrawalOffer>

/** Contracts within their withdrawal period, newest first. */
export const WithdrawalOffers = z.object({ items: z.array(WithdrawalOffer) })

/** `expectedBackFt` is the refund that the customer saw; another amount is refused with PRICE_CHANGED. */
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
