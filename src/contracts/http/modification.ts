import * as z from 'zod'
import { AmountFt, Id, Instant } from '../primitives.ts'
import { Server } from './server.ts'
import { ResourceChoice } from './service.ts'

/** The size that an owner may choose: the service, and whether a package or a test fixes it. */
export const ServerSize = z.object({
  serviceId: Id,
  packageId: Id.nullable(),
  isTest: z.boolean(),
  resources: ResourceChoice,
})
export type ServerSize = z.infer<typeof ServerSize>

export const ModificationQuoteRequest = z.object({ resources: ResourceChoice })
export type ModificationQuoteRequest = z.infer<typeof ModificationQuoteRequest>

/** Whole forints, tax included. One of `chargeFt` and `backFt` is 0; `days` is the rest of the paid time. */
export const ModificationQuote = z.object({
  days: z.int(),
  monthlyFt: AmountFt,
  newMonthlyFt: AmountFt,
  chargeFt: AmountFt,
  backFt: AmountFt,
  balanceFt: AmountFt,
  balanceAfterFt: AmountFt,
  missingFt: AmountFt,
  expiry: Instant,
})
export type ModificationQuote = z.infer<typeof ModificationQuote>

/**
 * `expectedChargeFt` is the amount that the customer saw: positive for a charge, negative for a refund. Otherwise
 * PRICE_CHANGED.
 */
export const ModificationRequest = z.object({ resources: ResourceChoice, expectedChargeFt: AmountFt.optional() })
export type ModificationRequest = z.infer<typeof ModificationRequest>

export const ModificationRecord = z.object({ id: Id, chargeFt: AmountFt, backFt: AmountFt, monthlyFt: AmountFt })
export const ModificationAnswer = z.object({ modification: ModificationRecord, server: Server })
export type ModificationAnswer = z.infer<typeof ModificationAnswer>
