import * as z from 'zod'
import { AmountFt, Id, Instant, VatPercent, SeenFt } from '../primitives.ts'
import { Server } from './server.ts'

/** 1 to 6 (specification section 9). */
const Months = z.int().min(1).max(6)

/** The months are one digit in the address; `1e0`, ` 2` and digits of other scripts are refused. */
export const RenewalQuoteQuery = z.object({
  months: z
    .string()
    .regex(/^[1-6]$/)
    .transform(Number),
})

/**
 * All amounts gross whole forints; net + vat = total. `missingFt` is the shortfall of the balance, 0 if it is enough.
 */
export const RenewalQuote = z.object({
  months: z.int(),
  monthlyFt: AmountFt,
  discountFt: AmountFt,
  totalFt: AmountFt,
  netFt: AmountFt,
  vatFt: AmountFt,
  vatPercent: VatPercent,
  balanceFt: AmountFt,
  balanceAfterFt: AmountFt,
  missingFt: AmountFt,
  /** The current end of the paid time, and the new one with these months. */
  expiry: Instant,
  newExpiry: Instant,
  /** When the server is deleted unless it is renewed. */
  deletionAt: Instant,
  autoRenewal: z.boolean(),
})
export type RenewalQuote = z.infer<typeof RenewalQuote>

/**
 * `expectedTotalFt` is the price that the customer saw, another one is refused with PRICE_CHANGED; `expiry` the end of
 * the paid time that they saw, another one is refused with EXPIRY_CHANGED, so that two open pages do not pay for two
 * periods.
 */
export const RenewRequest = z.object({
  months: Months,
  expectedTotalFt: SeenFt.optional(),
  expiry: Instant.optional(),
})
export type RenewRequest = z.infer<typeof RenewRequest>

export const RenewalRecord = z.object({ id: Id, months: Months, totalFt: AmountFt, expiresAt: Instant })
export const RenewAnswer = z.object({ renewal: RenewalRecord, server: Server })
export type RenewAnswer = z.infer<typeof RenewAnswer>

/** Whether the server is renewed automatically for a month, a day before its paid time ends. */
export const AutoRenewal = z.object({ enabled: z.boolean() })
export type AutoRenewal = z.infer<typeof AutoRenewal>
